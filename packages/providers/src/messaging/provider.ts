import { defineProvider, type Provider } from '@sallyport/webhooks'
import { occurredAt } from '../time.ts'
import { challengeEcho } from './handshake.ts'
import { assigneeOf, messageOf, writerOf } from './normalize.ts'
import { notify } from './notify.ts'
import {
  assigneeEvent,
  messageEvent,
  messagingEvents,
  type AssigneeEvent,
  type MessageEvent,
  type MessagingEvents,
} from './schemas.ts'
import { schemes } from './scheme.ts'
import { unwrap } from './unwrap.ts'

export interface MessagingOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'messaging' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-messaging-signature' */
  readonly header?: string
  /** Whether a rule sends the deliveries, or an application does. @default 'rule' */
  readonly webhook?: 'rule' | 'application'
}

/**
 * A customer inbox: Front, or a service that signs and speaks as it does.
 *
 * - Signature of a rule's webhook: HMAC-SHA1 over the compact JSON, padded base64, under the API secret. Nothing is sent a
 *   second time.
 * - Signature of an application's webhook: HMAC-SHA256 over the milliseconds of `x-front-request-timestamp`, a colon and
 *   the compact JSON, padded base64, under the application's key. Its challenge (`x-front-challenge`) is echoed.
 * - `message.received`: from `inbound` and `inbound_received`. `message.sent`: from `outbound`, `out_reply` and
 *   `outbound_sent`. `assignee.changed`: from `assign`, `unassign` and `assignee_changed`. Key: the event's id (`evt_…`), so
 *   that a rule and an application that tell of one event yield one.
 *
 * @throws TypeError when the name is malformed
 *
 * @example
 * ```ts
 * import { createMessaging } from '@sallyport/providers/messaging'
 *
 * export const support = createMessaging({
 *   name: 'support',
 *   header: 'x-front-signature',
 *   webhook: 'application',
 * })
 * ```
 *
 * @see https://dev.frontapp.com/docs/rule-webhooks
 * @see https://dev.frontapp.com/docs/application-webhooks
 * @see https://dev.frontapp.com/reference/events
 */
export function createMessaging<const Name extends string = 'messaging'>(
  options: MessagingOptions<Name> = {},
): Provider<MessagingEvents, Name> {
  const { name = 'messaging' as Name, header = 'x-messaging-signature', webhook = 'rule' } = options
  return defineProvider<MessagingEvents, Name>({
    name,
    signature: schemes[webhook](header),
    ...(webhook === 'application' && { handshake: challengeEcho }),
    events: messagingEvents,
    normalize({ payload }) {
      const { type, event } = unwrap(payload)
      switch (type ?? '') {
        case 'inbound':
        case 'inbound_received': {
          const read = messageEvent.parse(event)
          const data = { ...messageOf(read), received_at: momentOf(read) }
          return { kind: 'message.received', ...whatHappened(read), data }
        }
        case 'outbound':
        case 'out_reply':
        case 'outbound_sent': {
          const read = messageEvent.parse(event)
          const data = { ...messageOf(read), actor: writerOf(read), sent_at: momentOf(read) }
          return { kind: 'message.sent', ...whatHappened(read), data }
        }
        case 'assign':
        case 'unassign':
        case 'assignee_changed': {
          const read = assigneeEvent.parse(event)
          return { kind: 'assignee.changed', ...whatHappened(read), data: assigneeOf(read) }
        }
        default:
          return []
      }
    },
    notify,
  })
}

/** The customer inbox under its own name. */
export const messaging = createMessaging()

function whatHappened({ id, conversation, emitted_at }: MessageEvent | AssigneeEvent) {
  return { key: [id], subject: conversation.id, ...occurredAt(emitted_at) }
}

const momentOf = ({ target, emitted_at }: MessageEvent): string | null =>
  target?.data?.created_at ?? emitted_at
