import { defineProvider, hmac, type Provider } from '@sallyport/webhooks'
import type { z } from 'zod'
import { textAt } from '../fields.ts'
import { occurredAt, optionalTime } from '../time.ts'
import { notify } from './notify.ts'
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

export interface TasksOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'tasks' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-tasktracker-hmac-sha256' */
  readonly header?: string
}

/**
 * A task tracker: Todoist, or a service that signs and speaks as it does.
 *
 * - Signature: HMAC-SHA256 over the raw body, padded base64. The key is the client secret of the app, not its
 *   verification token.
 * - `task.created`, `task.completed` and `comment.added`: from `item:added`, `item:completed` and `note:added`. Key: the
 *   entity's id and `triggered_at`, as one task may be completed many times. The service's own id of a delivery,
 *   `x-todoist-delivery-id`, is not signed and is not read.
 *
 * The service takes nothing but 200 for an answer, and tries three times more, 15 minutes apart.
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
    normalize({ payload }) {
      switch (textAt(payload, 'event_name') ?? '') {
        case 'item:added': {
          const read = taskPayload.parse(payload)
          return { kind: 'task.created', ...whatHappened(read), data: task(read) }
        }
        case 'item:completed': {
          const read = taskPayload.parse(payload)
          const { completed_at } = read.event_data
          return { kind: 'task.completed', ...whatHappened(read), data: { ...task(read), completed_at } }
        }
        case 'note:added': {
          const read = commentPayload.parse(payload)
          const data = comment(read)
          return {
            kind: 'comment.added',
            ...whatHappened(read),
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

/** The task tracker under its own name. */
export const tasks = createTasks()

function whatHappened({ event_data: { id }, triggered_at }: TaskPayload | CommentPayload) {
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
    actor: nameOf(initiator),
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
    actor: nameOf(initiator),
    attachment: comment.file_attachment?.file_name ?? null,
    url: comment.url ?? item?.url ?? null,
    created_at: comment.posted_at,
  }
}

const nameOf = (initiator: TaskPayload['initiator']): string | null =>
  initiator?.full_name ?? initiator?.email ?? null
