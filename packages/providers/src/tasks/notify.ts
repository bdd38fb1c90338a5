import type { Message } from '@sallyport/webhooks'
import type { z } from 'zod'
import { lines, notifyWith, oneLine, phrase, webLinks } from '../message.ts'
import { tasksEvents, type taskCreated } from './schemas.ts'

/** What a person should read about an event of a task tracker. */
export const notify = notifyWith(tasksEvents, {
  'task.created': (task) => aboutTask('New task', task),
  'task.completed': (task) => aboutTask('Task completed', task),
  'comment.added': (comment) => ({
    title: `${phrase('', comment.actor) || 'Somebody'} commented${phrase(' on ', comment.task_title)}`,
    text:
      lines(oneLine(comment.text, 500), phrase('Attached: ', comment.attachment)) ||
      'The comment has no text.',
    severity: 'info',
    links: webLinks([{ label: 'Task', url: comment.url }]),
  }),
})

function aboutTask(what: string, task: z.output<typeof taskCreated>): Message {
  const details = [
    phrase('by ', task.actor),
    task.due_on === null ? '' : `due ${task.recurring ? 'again ' : ''}on ${oneLine(task.due_on)}`,
    task.labels.length === 0 ? '' : `labelled ${oneLine(task.labels.slice(0, 10).join(', '))}`,
  ].filter((detail) => detail !== '')
  return {
    title: `${what}: ${oneLine(task.title) || 'untitled'}`,
    text: lines(sentence(details.join(', ')), phrase('', task.description, 500)) || what,
    severity: 'info',
    links: webLinks([{ label: 'Task', url: task.url }]),
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
