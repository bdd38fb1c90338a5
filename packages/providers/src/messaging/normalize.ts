import type * as z from 'zod'
import type { assigneeChanged, AssigneeEvent, MessageEvent, messageReceived, Teammate } from './schemas.ts'
import { readText } from '../fields.ts'

/** The data that both kinds of message share. */
export function toMessage({ conversation, source, target }: MessageEvent) {
  const message = target?.data ?? null
  const inbox = source?.data?.[0]
  const recipients = message?.recipients ?? []
  const sender = recipients.find(({ role }) => role === 'from')
  return {
    message_id: message?.id ?? null,
    conversation_id: conversation.id,
    subject: conversation.subject,
    channel: message?.type ?? null,
    inbox: inbox?.name ?? inbox?.address ?? null,
    from: sender?.handle ?? null,
    from_name: sender?.name ?? null,
    to: recipients.filter(({ role }) => role !== 'from').map(({ handle }) => handle),
    excerpt: message?.blurb ?? null,
    text: message?.text ?? null,
    url: toUrl(message?.id ?? conversation.id),
  } satisfies Omit<z.input<typeof messageReceived>, 'received_at'>
}

/** The name of the teammate who wrote a message. */
export const getWriter = ({ target }: MessageEvent): string | null => getName(target?.data?.author)

export function toAssigneeChange({
  type,
  conversation,
  source,
  target,
  emitted_at,
}: AssigneeEvent): z.input<typeof assigneeChanged> {
  // The conversation has the state at the time of sending, which may be newer than the event.
  const assignee = type === 'unassign' ? null : (target?.data ?? conversation.assignee)
  return {
    conversation_id: conversation.id,
    subject: conversation.subject,
    assigned: type === 'unassign' ? false : type === 'assign' || assignee !== null ? true : null,
    assignee: getName(assignee),
    assignee_id: assignee?.id ?? null,
    assignee_email: assignee?.email ?? null,
    actor: source?.data?.name ?? getName(source?.data),
    customer: conversation.recipient?.handle ?? null,
    url: toUrl(conversation.id),
    changed_at: emitted_at,
  }
}

function getName(teammate: Teammate | null | undefined): string | null {
  const { first_name = null, last_name = null } = teammate ?? {}
  const name = [first_name, last_name].filter((part) => part !== null).join(' ')
  return name === '' ? (teammate?.username ?? teammate?.email ?? null) : name
}

/**
 * The address of a conversation or a message. `encodeURIComponent` throws at a lone surrogate.
 *
 * @see https://dev.frontapp.com/docs/deep-linking-1
 */
const toUrl = (id: string): string => `https://app.frontapp.com/open/${encodeURIComponent(id.toWellFormed())}`

/** An event and the service's name for its type. */
export interface Unwrapped {
  readonly type: string | undefined
  readonly event: unknown
}

/** Returns the event itself, as a rule sends it, or the `payload` that an application wraps with its type. */
export function unwrap(payload: unknown): Unwrapped {
  const type = readText(payload, 'type')
  return isWrapped(payload) ? { type, event: payload.payload } : { type, event: payload }
}

const isWrapped = (payload: unknown): payload is { readonly payload: unknown } =>
  typeof payload === 'object' && payload !== null && 'payload' in payload && !('conversation' in payload)
