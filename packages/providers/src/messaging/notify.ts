import { lines, notifyWith, phrase, webLinks } from '../message.ts'
import { messagingEvents } from './schemas.ts'

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
    const owner = phrase('', change.assignee)
    return {
      title: owner === '' ? `${subject} is nobody's any more` : `${subject} is now ${owner}'s`,
      text: lines(
        phrase('Changed by ', change.actor),
        phrase('The customer is ', change.customer),
        owner === '' ? 'Nobody has the conversation.' : `${owner} has the conversation.`,
      ),
      severity: 'info',
      links: conversationAt(change.url),
    }
  },
})

const conversationAt = (url: string) => webLinks([{ label: 'Conversation', url }])
