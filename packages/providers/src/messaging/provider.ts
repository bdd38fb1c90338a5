import {
  compactJson,
  defineProvider,
  hmac,
  signedTime,
  type Provider,
  type SignatureScheme,
} from '@sallyport/webhooks'
import { occurredAt } from '../time.ts'
import { getWriter, toAssigneeChange, toMessage, unwrap } from './normalize.ts'
import { notify } from './notify.ts'
import {
  assigneeEvent,
  messageEvent,
  messagingEvents,
  type AssigneeEvent,
  type MessageEvent,
  type MessagingEvents,
} from './schemas.ts'
import { echo, signedChallenge } from '@sallyport/webhooks/handshakes'
import { readText } from '../fields.ts'

export interface MessagingOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'messaging' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-messaging-signature' */
  readonly header?: string
  /** Whether a rule sends the deliveries, or an application does. @default 'rule' */
  readonly webhook?: 'rule' | 'application'
}

/**
 * A customer inbox: Front, or a service with the same signature and payloads.
 *
 * - Signature of a rule's webhook: HMAC-SHA1 over the compact JSON, padded base64, under the API secret. The service does
 *   not retry.
 * - Signature of an application's webhook: HMAC-SHA256 over the milliseconds of `x-front-request-timestamp`, a colon and
 *   the compact JSON, padded base64, under the application's key. The challenge (`x-front-challenge`) is echoed.
 * - `message.received`: from `inbound` and `inbound_received`. `message.sent`: from `outbound`, `out_reply` and
 *   `outbound_sent`. `assignee.changed`: from `assign`, `unassign` and `assignee_changed`. Key: the id of the event
 *   (`evt_…`), so that a rule and an application that send the same event yield one event.
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
    ...(webhook === 'application' ? { handshake: frontHandshake } : { resends: false }),
    events: messagingEvents,
    readKind: ({ payload }) => unwrap(payload).type,
    normalize({ payload }) {
      const { type, event } = unwrap(payload)
      switch (type ?? '') {
        case 'inbound':
        case 'inbound_received': {
          const read = messageEvent.parse(event)
          const data = { ...toMessage(read), received_at: getMessageTime(read) }
          return { kind: 'message.received', ...eventFields(read), data }
        }
        case 'outbound':
        case 'out_reply':
        case 'outbound_sent': {
          const read = messageEvent.parse(event)
          const data = { ...toMessage(read), actor: getWriter(read), sent_at: getMessageTime(read) }
          return { kind: 'message.sent', ...eventFields(read), data }
        }
        case 'assign':
        case 'unassign':
        case 'assignee_changed': {
          const read = assigneeEvent.parse(event)
          return { kind: 'assignee.changed', ...eventFields(read), data: toAssigneeChange(read) }
        }
        default:
          return []
      }
    },
    notify,
  })
}

/**
 * Echoes the challenge that the service sends when an application's webhook is saved.
 *
 * The request is signed like a delivery, so an unsigned challenge gets no echo. The challenge header is not signed, but the
 * body is (`{ "type": "sync" }`): a header added to a delivery cannot turn the delivery into a challenge.
 *
 * @see https://dev.frontapp.com/docs/application-webhooks
 */
export const frontHandshake = signedChallenge({
  mark: '"sync"',
  answer: (payload, { headers }) =>
    readText(payload, 'type') === 'sync' ? echo(headers.get('x-front-challenge')) : undefined,
})

/** The schemes by sender. Both sign the compact JSON serialization of the service. */
const schemes: Readonly<Record<'rule' | 'application', (header: string) => SignatureScheme>> = {
  rule: (header) => hmac({ algorithm: 'sha1', encoding: 'base64', header, forms: compactJson }),
  application: (header) =>
    hmac({
      algorithm: 'sha256',
      encoding: 'base64',
      header,
      timestamp: signedTime({ header: 'x-front-request-timestamp', unit: 'ms' }),
      content: ({ timestamp, body }) => [timestamp, ':', body],
      forms: compactJson,
    }),
}

/** The customer inbox with its default name. */
export const messaging = createMessaging()

function eventFields({ id, conversation, emitted_at }: MessageEvent | AssigneeEvent) {
  return { key: [id], subject: conversation.id, ...occurredAt(emitted_at) }
}

const getMessageTime = ({ target, emitted_at }: MessageEvent): string | null =>
  target?.data?.created_at ?? emitted_at
