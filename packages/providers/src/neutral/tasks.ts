/**
 * Neutral contract with payloads in the form of Todoist; Todoist itself is `todoist`.
 *
 * Signed by HMAC-SHA256 of the body, in base64. The secret is the app's client secret, not its verification
 * token.
 *
 * @module
 */
import type { Message, Provider } from '@sallyport/webhooks'
import * as z from 'zod'
import { computed, count, data, flag, id, required, text, texts, time, withDefault } from '../fields.ts'
import { createNeutral, kind, type EventsOf, type NeutralOptions } from '../mapping.ts'
import { lines, oneLine, phrase, webLinks, type Messages } from '../message.ts'
import { todoist } from '../services/todoist.ts'

const task = {
  task_id: required(id('event_data.id')),
  /** Empty if the payload has no title. */
  title: withDefault(text('event_data.content'), ''),
  description: text('event_data.description'),
  project_id: id('event_data.project_id'),
  /** The parent task. */
  parent_id: id('event_data.parent_id'),
  assignee_id: id('event_data.responsible_uid'),
  labels: texts('event_data.labels'),
  /** From 1 (normal) to 4 (very urgent). */
  priority: count('event_data.priority'),
  /** The date, `YYYY-MM-DD`. */
  due_on: computed(z.string().nullable(), (payload) => {
    const due = text('event_data.due.date').read(payload) ?? ''
    return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(due) ? due.slice(0, 10) : null
  }),
  recurring: withDefault(flag('event_data.due.is_recurring'), false),
  /** The name of the user who caused the event. */
  actor: text('initiator.full_name', 'initiator.email'),
  url: text('event_data.url'),
  created_at: time('event_data.added_at'),
}

/** The data of `task.created`. */
const taskCreated = data(task)

/** The data of `task.completed`. */
const taskCompleted = data({ ...task, completed_at: time('event_data.completed_at') })

/** The data of `comment.added`: a comment on a task, or on a project. */
const commentAdded = data({
  comment_id: required(id('event_data.id')),
  /** The text in Markdown; empty for a comment with only a file. */
  text: withDefault(text('event_data.content'), ''),
  task_id: id('event_data.item_id', 'event_data.item.id'),
  task_title: text('event_data.item.content'),
  project_id: id('event_data.project_id', 'event_data.item.project_id'),
  author_id: id('event_data.posted_uid'),
  /** The name of the author. */
  actor: text('initiator.full_name', 'initiator.email'),
  /** The name of the attached file. */
  attachment: text('event_data.file_attachment.file_name'),
  /** The address of the task. */
  url: text('event_data.url', 'event_data.item.url'),
  created_at: time('event_data.posted_at'),
})

const kinds = {
  'task.created': kind(['item.added'], taskCreated),
  'task.completed': kind(['item.completed'], taskCompleted),
  'comment.added': kind(['note.added'], commentAdded, ({ task_id, comment_id }) => ({
    subject: task_id ?? comment_id,
  })),
}

/** The kinds of events of a task tracker with the schemas of their data. */
type TasksEvents = EventsOf<typeof kinds>

const messages: Messages<TasksEvents> = {
  'task.created': (task) => aboutTask('New task', task),
  'task.completed': (task) => aboutTask('Task completed', task),
  'comment.added': (comment) => ({
    title: `${phrase('', comment.actor) || 'A user'} commented${phrase(' on ', comment.task_title)}`,
    text:
      lines(oneLine(comment.text, 500), phrase('Attached: ', comment.attachment)) ||
      'The comment has no text.',
    severity: 'info',
    links: webLinks([{ label: 'Task', url: comment.url }]),
  }),
}

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

/**
 * A task tracker: Todoist, or a service with the same signature and payloads.
 *
 * @throws TypeError when the name or the header is malformed
 *
 * @example
 * ```ts
 * import { createTasks } from '@sallyport/providers/tasks'
 *
 * export const chores = createTasks({ name: 'chores', header: 'x-chores-signature' })
 * ```
 */
export function createTasks<const Name extends string = 'tasks'>({
  name = 'tasks' as Name,
  header = 'x-tasktracker-hmac-sha256',
}: NeutralOptions<Name> = {}): Provider<TasksEvents, Name> {
  return createNeutral(todoist, { name, header, kinds, messages })
}

/** The task tracker with its default name. */
export const tasks = createTasks()
