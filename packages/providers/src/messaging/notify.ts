import type { z } from 'zod'
import { lines, notifyWith, phrase, webLinks } from '../message.ts'
import { messagingEvents, type assigneeChanged } from './schemas.ts'

type AssigneeChanged = z.output<typeof assigneeChanged>

/** What a person should read about an event of a customer inbox. */
export const notify = notifyWith(messagingEvents, {
  'message.received': (message) => ({
    title: `New message${phrase(' from ', message.from_name ?? message.from)}${phrase(' in ', message.inbox)}`,
    text: lines(phrase('', message.subject, 200), phrase('', message.excerpt, 500)) || 'A message came in.',
    severity: 'info',
    links: conversationAt(message.url),
  }),
  'message.sent': (message) => {
    const to = message.to.length === 0 ? null : message.to.slice(0, 5).join(', ')
    return {
      title: `${phrase('', message.actor ?? message.inbox) || 'Somebody'} sent a message${phrase(' to ', to)}`,
      text:
        lines(phrase('', message.subject, 200), phrase('', message.excerpt, 500)) || 'A message went out.',
      severity: 'info',
      links: conversationAt(message.url),
    }
  },
  'assignee.changed': (change) => {
    const subject = phrase('', change.subject, 200) || 'A conversation'
    const [title, holder] = whoHas(change)
    return {
      title: `${subject}${title}`,
      text: lines(
        phrase('Changed by ', change.actor),
        phrase('The customer is ', change.customer),
        `${holder} the conversation.`,
      ),
      severity: 'info',
      links: conversationAt(change.url),
    }
  },
})

/** The end of a title and the beginning of a sentence; of a preview, often only the id of who has it is known. */
function whoHas({ assigned, assignee, assignee_email, assignee_id }: AssigneeChanged): [string, string] {
  const owner = phrase('', assignee) || phrase('', assignee_email) || phrase('', assignee_id)
  if (owner !== '') return [` is now ${owner}'s`, `${owner} has`]
  if (assigned === false) return [" is nobody's any more", 'Nobody has']
  return [assigned ? ' was assigned' : ': the assignee changed', 'The service does not tell who has']
}

const conversationAt = (url: string) => webLinks([{ label: 'Conversation', url }])
