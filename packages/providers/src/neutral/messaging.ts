/**
 * Neutral contract with payloads in the form of Front; Front itself is `front`.
 *
 * Signed by HMAC-SHA1 of the compact JSON, in base64. The secret is the API secret; of an application, its
 * key.
 *
 * @module
 */
import type { Provider, VerifiedDelivery } from '@sallyport/webhooks'
import * as z from 'zod'
import { readPath } from '../agreement.ts'
import { computed, data, id, readList, required, text, time, within } from '../fields.ts'
import { createNeutral, kind, type EventsOf, type NeutralOptions, type ServiceEvent } from '../mapping.ts'
import { lines, phrase, webLinks, type Messages } from '../message.ts'
import { frontApplication } from '../services/front-application.ts'
import { front } from '../services/front.ts'

interface MessagingOptions<Name extends string = string> extends NeutralOptions<Name> {
  /** Whether a rule sends the deliveries, or an application does. @default 'rule' */
  readonly webhook?: 'rule' | 'application'
}

/**
 * The address of a conversation or a message. `encodeURIComponent` throws at a lone surrogate.
 *
 * @see https://dev.frontapp.com/docs/deep-linking-1
 */
const address = (...paths: readonly string[]) =>
  computed(z.string(), (payload) => {
    const part = id(...paths)
      .read(payload)
      ?.toWellFormed()
    return part === undefined ? null : `https://app.frontapp.com/open/${encodeURIComponent(part)}`
  })

/** The name of a teammate. */
function readName(teammate: unknown): string | null {
  const parts = [text('first_name').read(teammate), text('last_name').read(teammate)]
  const name = parts.filter((part) => part !== null).join(' ')
  return name === '' ? text('username', 'email').read(teammate) : name
}

const name = (find: (payload: unknown) => unknown) =>
  computed(z.string().nullable(), (payload) => readName(find(payload)))

const recipients = (payload: unknown) =>
  readList(payload, 'target.data.recipients').filter((one) => text('handle').read(one) !== null)
const isSender = (recipient: unknown): boolean => readPath(recipient, 'role') === 'from'
const sender = (payload: unknown) => recipients(payload).find(isSender)

// A webhook that sends previews has few of these fields.
const message = {
  message_id: id('target.data.id'),
  conversation_id: required(id('conversation.id')),
  subject: text('conversation.subject'),
  /** `email`, `sms`, `call`, `custom` or another value. */
  channel: text('target.data.type'),
  /** The name or address of the inbox. */
  inbox: text('source.data.0.name', 'source.data.0.address'),
  /** The address or number of the sender. */
  from: within(sender, text('handle')),
  from_name: within(sender, text('name')),
  /** The addresses or numbers of the recipients, including copies. */
  to: computed(z.array(z.string()), (payload) =>
    recipients(payload).flatMap((one) => (isSender(one) ? [] : (text('handle').read(one) ?? []))),
  ),
  /** The beginning of the text, without markup. */
  excerpt: text('target.data.blurb'),
  /** The complete text, without markup. */
  text: text('target.data.text'),
  /** The address of the conversation. */
  url: address('target.data.id', 'conversation.id'),
}

/** The data of `message.received`. For a webhook that sends previews, most fields are null. */
const messageReceived = data({ ...message, received_at: time('target.data.created_at', 'emitted_at') })

/** The data of `message.sent`: a new message or a reply. For a webhook that sends previews, most fields are null. */
const messageSent = data({
  ...message,
  /** The name of the teammate who wrote the message. */
  actor: name((payload) => readPath(payload, 'target.data.author')),
  sent_at: time('target.data.created_at', 'emitted_at'),
})

const readType = (payload: unknown) => readPath(payload, 'type')

/** The conversation has the state at the time of sending, which may be newer than the event. */
const assignee = (payload: unknown) =>
  readType(payload) === 'unassign'
    ? null
    : (readPath(payload, 'target.data') ?? readPath(payload, 'conversation.assignee') ?? null)

/** The data of `assignee.changed`. */
const assigneeChanged = data({
  conversation_id: required(id('conversation.id')),
  subject: text('conversation.subject'),
  /** Whether the conversation has an assignee now; null when the payload does not show it. */
  assigned: computed(z.boolean().nullable(), (payload) => {
    if (readType(payload) === 'unassign') return false
    return readType(payload) === 'assign' || assignee(payload) !== null ? true : null
  }),
  /** The name of the assignee; null without one, and for a webhook that sends previews. */
  assignee: name(assignee),
  assignee_id: within(assignee, id('id')),
  assignee_email: within(assignee, text('email')),
  /** The name of the teammate or the rule that changed the assignee. */
  actor: computed(
    z.string().nullable(),
    (payload) => text('source.data.name').read(payload) ?? readName(readPath(payload, 'source.data')),
  ),
  /** The address or number of the customer. */
  customer: text('conversation.recipient.handle'),
  url: address('conversation.id'),
  changed_at: time('emitted_at'),
})

const kinds = {
  'message.received': kind(['inbound', 'inbound_received'], messageReceived),
  'message.sent': kind(['outbound', 'out_reply', 'outbound_sent'], messageSent),
  'assignee.changed': kind(['assign', 'unassign', 'assignee_changed'], assigneeChanged),
}

/** The kinds of events of a customer inbox with the schemas of their data. */
type MessagingEvents = EventsOf<typeof kinds>

const messages: Messages<MessagingEvents> = {
  'message.received': (message) => ({
    title: `New message${phrase(' from ', message.from_name ?? message.from)}${phrase(' in ', message.inbox)}`,
    ...describe(message, 'A message arrived.'),
  }),
  'message.sent': (message) => ({
    title: `${phrase('', message.actor ?? message.inbox) || 'A teammate'} sent a message${phrase(' to ', message.to.slice(0, 5).join(', '))}`,
    ...describe(message, 'A message was sent.'),
  }),
  'assignee.changed': (change) => {
    const [title, sentence] = describeAssignee(change)
    return {
      title: `${phrase('', change.subject, 200) || 'A conversation'}${title}`,
      text: lines(phrase('Changed by ', change.actor), phrase('The customer is ', change.customer), sentence),
      ...beside(change.url),
    }
  },
}

const beside = (url: string) => ({
  severity: 'info' as const,
  links: webLinks([{ label: 'Conversation', url }]),
})

const describe = (
  { subject, excerpt, url }: z.output<typeof messageReceived | typeof messageSent>,
  nothing: string,
) => ({
  text: lines(phrase('', subject, 200), phrase('', excerpt, 500)) || nothing,
  ...beside(url),
})

/** The end of the title, and a sentence about the assignee. Previews often contain only the id of the assignee. */
function describeAssignee(change: z.output<typeof assigneeChanged>): readonly [string, string] {
  const { assigned, assignee, assignee_email, assignee_id } = change
  const name = phrase('', assignee) || phrase('', assignee_email) || phrase('', assignee_id)
  if (name !== '') return [` is assigned to ${name}`, `${name} is the assignee.`]
  if (assigned === false) return [' is unassigned', 'The conversation has no assignee.']
  return [assigned ? ' was assigned' : ': the assignee changed', 'The service does not send the assignee.']
}

/** Finds the event that a rule sends itself, and that an application wraps with its type. */
function read(delivery: VerifiedDelivery): readonly ServiceEvent[] {
  const payload = Object(delivery.payload) as object
  if (!('payload' in payload) || 'conversation' in payload) return front.normalize(delivery)
  return frontApplication.normalize(delivery).map((event) => ({ ...event, data: payload.payload }))
}

/**
 * A customer inbox: Front, or a service with the same signature and payloads. A rule and an application have different
 * signatures; the events of both are read in either case.
 *
 * @throws TypeError when the name or the header is malformed
 *
 * @example
 * ```ts
 * import { createMessaging } from '@sallyport/providers/messaging'
 *
 * export const support = createMessaging({ header: 'x-front-signature', webhook: 'application' })
 * ```
 */
export function createMessaging<const Name extends string = 'messaging'>({
  name = 'messaging' as Name,
  header = 'x-messaging-signature',
  webhook = 'rule',
}: MessagingOptions<Name> = {}): Provider<MessagingEvents, Name> {
  const service = webhook === 'rule' ? front : frontApplication
  return createNeutral(service, { name, header, kinds, messages, read })
}

/** The customer inbox with its default name. */
export const messaging = createMessaging()
