import { defineProvider, hmac, type Message, type Provider } from '@sallyport/webhooks'
import type * as z from 'zod'
import { readText } from '../fields.ts'
import { occurredAt, optionalTime } from '../time.ts'
import {
  commentPayload,
  taskPayload,
  tasksEvents,
  type commentAdded,
  type CommentPayload,
  type taskCreated,
  type TaskPayload,
  type TasksEvents,
} from './schemas.ts'
import { createNotify, lines, oneLine, phrase, webLinks } from '../message.ts'

export interface TasksOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'tasks' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-tasktracker-hmac-sha256' */
  readonly header?: string
}

/**
 * A task tracker: Todoist, or a service with the same signature and payloads.
 *
 * - Signature: HMAC-SHA256 over the raw body, padded base64. The key is the client secret of the app, not its
 *   verification token.
 * - `task.created`, `task.completed` and `comment.added`: from `item:added`, `item:completed` and `note:added`. Key: the id
 *   of the entity and `triggered_at`, because a task can be completed several times. The header `x-todoist-delivery-id` is
 *   not signed and not read.
 *
 * The service accepts only 200 as an answer and retries three times, 15 minutes apart.
 *
 * @throws TypeError when the name is malformed
 *
 * @example
 * ```ts
 * import { createTasks } from '@sallyport/providers/tasks'
 *
 * export const chores = createTasks({ name: 'chores', header: 'x-chores-signature' })
 * ```
 *
 * @see https://developer.todoist.com/api/v1/#tag/Webhooks
 */
export function createTasks<const Name extends string = 'tasks'>(
  options: TasksOptions<Name> = {},
): Provider<TasksEvents, Name> {
  const { name = 'tasks' as Name, header = 'x-tasktracker-hmac-sha256' } = options
  return defineProvider<TasksEvents, Name>({
    name,
    signature: hmac({ algorithm: 'sha256', encoding: 'base64', header }),
    events: tasksEvents,
    readKind: ({ payload }) => readText(payload, 'event_name'),
    normalize({ payload }) {
      switch (readText(payload, 'event_name') ?? '') {
        case 'item:added': {
          const read = taskPayload.parse(payload)
          return { kind: 'task.created', ...eventFields(read), data: task(read) }
        }
        case 'item:completed': {
          const read = taskPayload.parse(payload)
          const { completed_at } = read.event_data
          return { kind: 'task.completed', ...eventFields(read), data: { ...task(read), completed_at } }
        }
        case 'note:added': {
          const read = commentPayload.parse(payload)
          const data = comment(read)
          return {
            kind: 'comment.added',
            ...eventFields(read),
            subject: data.task_id ?? data.comment_id,
            data,
          }
        }
        default:
          return []
      }
    },
    notify,
  })
}

/** The notifications for events of a task tracker. */
const notify = createNotify(tasksEvents, {
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

/** The task tracker with its default name. */
export const tasks = createTasks()

function eventFields({ event_data: { id }, triggered_at }: TaskPayload | CommentPayload) {
  return { key: [id, triggered_at], subject: id, ...occurredAt(optionalTime.parse(triggered_at)) }
}

function task({ event_data: task, initiator }: TaskPayload): z.input<typeof taskCreated> {
  return {
    task_id: task.id,
    title: task.content ?? '',
    description: task.description,
    project_id: task.project_id,
    parent_id: task.parent_id,
    assignee_id: task.responsible_uid,
    labels: task.labels,
    priority: task.priority,
    due_on: task.due?.date ?? null,
    recurring: task.due?.is_recurring ?? false,
    actor: getName(initiator),
    url: task.url,
    created_at: task.added_at,
  }
}

function comment({ event_data: comment, initiator }: CommentPayload): z.input<typeof commentAdded> {
  const { item } = comment
  return {
    comment_id: comment.id,
    text: comment.content ?? '',
    task_id: comment.item_id ?? item?.id ?? null,
    task_title: item?.content ?? null,
    project_id: comment.project_id ?? item?.project_id ?? null,
    author_id: comment.posted_uid,
    actor: getName(initiator),
    attachment: comment.file_attachment?.file_name ?? null,
    url: comment.url ?? item?.url ?? null,
    created_at: comment.posted_at,
  }
}

const getName = (initiator: TaskPayload['initiator']): string | null =>
  initiator?.full_name ?? initiator?.email ?? null
