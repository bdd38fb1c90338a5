import type * as z from 'zod'
import { lines, createNotify, phrase, webLinks } from '../message.ts'
import { messagingEvents, type assigneeChanged } from './schemas.ts'

type AssigneeChanged = z.output<typeof assigneeChanged>

/** The notifications for events of a customer inbox. */
export const notify = createNotify(messagingEvents, {
  'message.received': (message) => ({
    title: `New message${phrase(' from ', message.from_name ?? message.from)}${phrase(' in ', message.inbox)}`,
    text: lines(phrase('', message.subject, 200), phrase('', message.excerpt, 500)) || 'A message arrived.',
    severity: 'info',
    links: conversationLinks(message.url),
  }),
  'message.sent': (message) => {
    const to = message.to.length === 0 ? null : message.to.slice(0, 5).join(', ')
    return {
      title: `${phrase('', message.actor ?? message.inbox) || 'A teammate'} sent a message${phrase(' to ', to)}`,
      text:
        lines(phrase('', message.subject, 200), phrase('', message.excerpt, 500)) || 'A message was sent.',
      severity: 'info',
      links: conversationLinks(message.url),
    }
  },
  'assignee.changed': (change) => {
    const subject = phrase('', change.subject, 200) || 'A conversation'
    const [title, sentence] = describeAssignee(change)
    return {
      title: `${subject}${title}`,
      text: lines(phrase('Changed by ', change.actor), phrase('The customer is ', change.customer), sentence),
      severity: 'info',
      links: conversationLinks(change.url),
    }
  },
})

/** The end of the title, and a sentence about the assignee. Previews often contain only the id of the assignee. */
function describeAssignee(change: AssigneeChanged): readonly [string, string] {
  const { assigned, assignee, assignee_email, assignee_id } = change
  const name = phrase('', assignee) || phrase('', assignee_email) || phrase('', assignee_id)
  if (name !== '') return [` is assigned to ${name}`, `${name} is the assignee.`]
  if (assigned === false) return [' is unassigned', 'The conversation has no assignee.']
  return [assigned ? ' was assigned' : ': the assignee changed', 'The service does not send the assignee.']
}

const conversationLinks = (url: string) => webLinks([{ label: 'Conversation', url }])
