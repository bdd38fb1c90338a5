import type { z } from 'zod'
import type { assigneeChanged, AssigneeEvent, MessageEvent, messageReceived, Teammate } from './schemas.ts'

/** What both kinds of message tell. */
export function messageOf({ conversation, source, target }: MessageEvent) {
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
    url: addressOf(message?.id ?? conversation.id),
  } satisfies Omit<z.input<typeof messageReceived>, 'received_at'>
}

/** The teammate who wrote a message. */
export const writerOf = ({ target }: MessageEvent): string | null => nameOf(target?.data?.author)

export function assigneeOf({
  type,
  conversation,
  source,
  target,
  emitted_at,
}: AssigneeEvent): z.input<typeof assigneeChanged> {
  // What the conversation says is its state when this was sent, which may be a later one.
  const assignee = type === 'unassign' ? null : (target?.data ?? conversation.assignee)
  return {
    conversation_id: conversation.id,
    subject: conversation.subject,
    assigned: type === 'unassign' ? false : type === 'assign' || assignee !== null ? true : null,
    assignee: nameOf(assignee),
    assignee_id: assignee?.id ?? null,
    assignee_email: assignee?.email ?? null,
    actor: source?.data?.name ?? nameOf(source?.data),
    customer: conversation.recipient?.handle ?? null,
    url: addressOf(conversation.id),
    changed_at: emitted_at,
  }
}

function nameOf(teammate: Teammate | null | undefined): string | null {
  const { first_name = null, last_name = null } = teammate ?? {}
  const name = [first_name, last_name].filter((part) => part !== null).join(' ')
  return name === '' ? (teammate?.username ?? teammate?.email ?? null) : name
}

/**
 * The address of a conversation or a message. `encodeURIComponent` throws at a lone surrogate.
 *
 * @see https://dev.frontapp.com/docs/deep-linking-1
 */
const addressOf = (id: string): string =>
  `https://app.frontapp.com/open/${encodeURIComponent(id.toWellFormed())}`
