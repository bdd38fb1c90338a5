import * as z from 'zod'
import { id, validElements, optional, optionalId, optionalPart, optionalText, text } from '../fields.ts'
import { optionalSeconds } from '../time.ts'

const teammate = {
  id: optionalId,
  email: optionalText,
  username: optionalText,
  first_name: optionalText,
  last_name: optionalText,
}

const recipients = validElements(z.object({ handle: text, name: optionalText, role: optionalText }))

const conversation = z.object({
  id,
  subject: optionalText,
  assignee: optionalPart(teammate),
  recipient: optionalPart({ handle: optionalText, name: optionalText }),
})

const event = { id, type: optionalText, emitted_at: optionalSeconds, conversation }

/** An event about a message. A webhook can be set to send previews, which contain little more than ids. */
export const messageEvent = z.object({
  ...event,
  source: optionalPart({ data: optional(z.array(z.object({ name: optionalText, address: optionalText }))) }),
  target: optionalPart({
    data: optionalPart({
      id: optionalId,
      type: optionalText,
      blurb: optionalText,
      text: optionalText,
      author: optionalPart(teammate),
      recipients,
      created_at: optionalSeconds,
    }),
  }),
})
export type MessageEvent = z.output<typeof messageEvent>

/** An event about the assignee of a conversation. */
export const assigneeEvent = z.object({
  ...event,
  source: optionalPart({ data: optionalPart({ ...teammate, name: optionalText }) }),
  target: optionalPart({ data: optionalPart(teammate) }),
})
export type AssigneeEvent = z.output<typeof assigneeEvent>
export type Teammate = Readonly<Record<keyof typeof teammate, string | null>>

// Data of published events.

const message = {
  message_id: z.string().nullable(),
  conversation_id: z.string(),
  subject: z.string().nullable(),
  /** `email`, `sms`, `call`, `custom` or another value. */
  channel: z.string().nullable(),
  /** The name or address of the inbox. */
  inbox: z.string().nullable(),
  /** The address or number of the sender. */
  from: z.string().nullable(),
  from_name: z.string().nullable(),
  /** The addresses or numbers of the recipients, including copies. */
  to: z.array(z.string()),
  /** The beginning of the text, without markup. */
  excerpt: z.string().nullable(),
  /** The complete text, without markup. */
  text: z.string().nullable(),
  /** The address of the conversation. */
  url: z.string(),
}

/** The data of `message.received`. For a webhook that sends previews, most fields are null. */
export const messageReceived = z.object({ ...message, received_at: z.string().nullable() })

/** The data of `message.sent`: a new message or a reply. For a webhook that sends previews, most fields are null. */
export const messageSent = z.object({
  ...message,
  /** The name of the teammate who wrote the message. */
  actor: z.string().nullable(),
  sent_at: z.string().nullable(),
})

/** The data of `assignee.changed`. */
export const assigneeChanged = z.object({
  conversation_id: z.string(),
  subject: z.string().nullable(),
  /** Whether the conversation has an assignee now; null when the payload does not show it. */
  assigned: z.boolean().nullable().default(null),
  /** The name of the assignee; null without one, and for a webhook that sends previews. */
  assignee: z.string().nullable(),
  assignee_id: z.string().nullable(),
  assignee_email: z.string().nullable(),
  /** The name of the teammate or the rule that changed the assignee. */
  actor: z.string().nullable(),
  /** The address or number of the customer. */
  customer: z.string().nullable(),
  url: z.string(),
  changed_at: z.string().nullable(),
})

/** The kinds of events of a customer inbox with the schemas of their data. */
export const messagingEvents = {
  'message.received': messageReceived,
  'message.sent': messageSent,
  'assignee.changed': assigneeChanged,
}
export type MessagingEvents = typeof messagingEvents
