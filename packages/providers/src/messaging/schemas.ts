import { z } from 'zod'
import { id, listOf, optional, optionalId, optionalPart, optionalText, text } from '../fields.ts'
import { optionalSeconds } from '../time.ts'

const teammate = {
  id: optionalId,
  email: optionalText,
  username: optionalText,
  first_name: optionalText,
  last_name: optionalText,
}

const recipients = listOf(z.object({ handle: text, name: optionalText, role: optionalText }))

const conversation = z.object({
  id,
  subject: optionalText,
  assignee: optionalPart(teammate),
  recipient: optionalPart({ handle: optionalText, name: optionalText }),
})

const event = { id, type: optionalText, emitted_at: optionalSeconds, conversation }

/** An event about a message. Of the preview that a webhook may be set to, the message is little but its id. */
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

/** An event about who has a conversation: done by a teammate or a rule, to a teammate or nobody. */
export const assigneeEvent = z.object({
  ...event,
  source: optionalPart({ data: optionalPart({ ...teammate, name: optionalText }) }),
  target: optionalPart({ data: optionalPart(teammate) }),
})
export type AssigneeEvent = z.output<typeof assigneeEvent>
export type Teammate = Readonly<Record<keyof typeof teammate, string | null>>

// What consumers get.

const message = {
  message_id: z.string().nullable(),
  conversation_id: z.string(),
  subject: z.string().nullable(),
  /** `email`, `sms`, `call`, `custom` or another word. */
  channel: z.string().nullable(),
  /** The name of the inbox, or its address. */
  inbox: z.string().nullable(),
  /** The address or number of the sender. */
  from: z.string().nullable(),
  from_name: z.string().nullable(),
  /** Addresses or numbers of the recipients, copies among them. */
  to: z.array(z.string()),
  /** The beginning, without mark-up. */
  excerpt: z.string().nullable(),
  /** All of it, without mark-up. */
  text: z.string().nullable(),
  /** Where the conversation is. */
  url: z.string(),
}

/** The data of `message.received`. Of a webhook that sends previews, most of it is null. */
export const messageReceived = z.object({ ...message, received_at: z.string().nullable() })

/** The data of `message.sent`: a new message, or a reply. Of a webhook that sends previews, most of it is null. */
export const messageSent = z.object({
  ...message,
  /** Name of the teammate who wrote it. */
  actor: z.string().nullable(),
  sent_at: z.string().nullable(),
})

/** The data of `assignee.changed`. */
export const assigneeChanged = z.object({
  conversation_id: z.string(),
  subject: z.string().nullable(),
  /** Whether somebody has the conversation now; null when the service does not tell. */
  assigned: z.boolean().nullable().default(null),
  /** The name of who has it; null when nobody has, and of a webhook that sends previews. */
  assignee: z.string().nullable(),
  assignee_id: z.string().nullable(),
  assignee_email: z.string().nullable(),
  /** The name of the teammate or the rule that changed it. */
  actor: z.string().nullable(),
  /** The address or number of the customer. */
  customer: z.string().nullable(),
  url: z.string(),
  changed_at: z.string().nullable(),
})

/** The kinds of event of a customer inbox, each with the schema of its data. */
export const messagingEvents = {
  'message.received': messageReceived,
  'message.sent': messageSent,
  'assignee.changed': assigneeChanged,
}
export type MessagingEvents = typeof messagingEvents
