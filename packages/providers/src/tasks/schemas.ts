import { z } from 'zod'
import {
  id,
  listOf,
  optionalCount,
  optionalFlag,
  optionalId,
  optionalPart,
  optionalText,
  text,
} from '../fields.ts'
import { optionalTime } from '../time.ts'

/** A date, or a date-time that begins with one. */
const optionalDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T|$)/)
  .transform((text) => text.slice(0, 10))
  .nullable()
  .catch(null)
  .default(null)

/** The task of `item:added` and `item:completed`. */
const taskPart = z.object({
  id,
  content: optionalText,
  description: optionalText,
  project_id: optionalId,
  parent_id: optionalId,
  responsible_uid: optionalId,
  labels: listOf(text),
  priority: optionalCount,
  due: optionalPart({ date: optionalDate, is_recurring: optionalFlag }),
  url: optionalText,
  added_at: optionalTime,
  completed_at: optionalTime,
})

/** The comment of `note:added`: on a task, which comes with it, or on a project. */
const commentPart = z.object({
  id,
  content: optionalText,
  item_id: optionalId,
  project_id: optionalId,
  posted_uid: optionalId,
  posted_at: optionalTime,
  url: optionalText,
  item: optionalPart({ id: optionalId, content: optionalText, project_id: optionalId, url: optionalText }),
  file_attachment: optionalPart({ file_name: optionalText }),
})

const envelope = {
  // A part of the key: it stays the text that was signed.
  triggered_at: text,
  initiator: optionalPart({ full_name: optionalText, email: optionalText }),
}

export const taskPayload = z.object({ ...envelope, event_data: taskPart })
export const commentPayload = z.object({ ...envelope, event_data: commentPart })

export type TaskPayload = z.output<typeof taskPayload>
export type CommentPayload = z.output<typeof commentPayload>

// What consumers get.

const task = {
  task_id: z.string(),
  /** Empty when the service told none. */
  title: z.string(),
  description: z.string().nullable(),
  project_id: z.string().nullable(),
  /** The task that it is a part of. */
  parent_id: z.string().nullable(),
  assignee_id: z.string().nullable(),
  labels: z.array(z.string()),
  /** 1 for normal to 4 for very urgent. */
  priority: z.int().nullable(),
  /** The day, `YYYY-MM-DD`. */
  due_on: z.string().nullable(),
  recurring: z.boolean(),
  /** Name of whoever did it. */
  actor: z.string().nullable(),
  url: z.string().nullable(),
  created_at: z.string().nullable(),
}

/** The data of `task.created`. */
export const taskCreated = z.object(task)

/** The data of `task.completed`. */
export const taskCompleted = z.object({ ...task, completed_at: z.string().nullable() })

/** The data of `comment.added`: a comment on a task, or on a project. */
export const commentAdded = z.object({
  comment_id: z.string(),
  /** What it says, in Markdown; empty when it is only a file. */
  text: z.string(),
  task_id: z.string().nullable(),
  task_title: z.string().nullable(),
  project_id: z.string().nullable(),
  author_id: z.string().nullable(),
  /** Name of whoever wrote it. */
  actor: z.string().nullable(),
  /** The name of the file that came with it. */
  attachment: z.string().nullable(),
  /** Where the task is. */
  url: z.string().nullable(),
  created_at: z.string().nullable(),
})

/** The kinds of event of a task tracker, each with the schema of its data. */
export const tasksEvents = {
  'task.created': taskCreated,
  'task.completed': taskCompleted,
  'comment.added': commentAdded,
}
export type TasksEvents = typeof tasksEvents
