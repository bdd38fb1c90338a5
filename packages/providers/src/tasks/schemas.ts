import * as z from 'zod'
import {
  id,
  validElements,
  optionalCount,
  optionalFlag,
  optionalId,
  optionalPart,
  optionalText,
  text,
} from '../fields.ts'
import { optionalTime } from '../time.ts'

/** A date, or the date of a date-time. */
const optionalDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T|$)/)
  .transform((text) => text.slice(0, 10))
  .nullable()
  .catch(null)
  .default(null)

/** The task in `item:added` and `item:completed`. */
const taskPart = z.object({
  id,
  content: optionalText,
  description: optionalText,
  project_id: optionalId,
  parent_id: optionalId,
  responsible_uid: optionalId,
  labels: validElements(text),
  priority: optionalCount,
  due: optionalPart({ date: optionalDate, is_recurring: optionalFlag }),
  url: optionalText,
  added_at: optionalTime,
  completed_at: optionalTime,
})

/** The comment in `note:added`, on a task (which is included) or on a project. */
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
  // A part of the key, so the signed text is kept.
  triggered_at: text,
  initiator: optionalPart({ full_name: optionalText, email: optionalText }),
}

export const taskPayload = z.object({ ...envelope, event_data: taskPart })
export const commentPayload = z.object({ ...envelope, event_data: commentPart })

export type TaskPayload = z.output<typeof taskPayload>
export type CommentPayload = z.output<typeof commentPayload>

// Data of published events.

const task = {
  task_id: z.string(),
  /** Empty if the payload has no title. */
  title: z.string(),
  description: z.string().nullable(),
  project_id: z.string().nullable(),
  /** The parent task. */
  parent_id: z.string().nullable(),
  assignee_id: z.string().nullable(),
  labels: z.array(z.string()),
  /** From 1 (normal) to 4 (very urgent). */
  priority: z.int().nullable(),
  /** The date, `YYYY-MM-DD`. */
  due_on: z.string().nullable(),
  recurring: z.boolean(),
  /** The name of the user who caused the event. */
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
  /** The text in Markdown; empty for a comment with only a file. */
  text: z.string(),
  task_id: z.string().nullable(),
  task_title: z.string().nullable(),
  project_id: z.string().nullable(),
  author_id: z.string().nullable(),
  /** The name of the author. */
  actor: z.string().nullable(),
  /** The name of the attached file. */
  attachment: z.string().nullable(),
  /** The address of the task. */
  url: z.string().nullable(),
  created_at: z.string().nullable(),
})

/** The kinds of events of a task tracker with the schemas of their data. */
export const tasksEvents = {
  'task.created': taskCreated,
  'task.completed': taskCompleted,
  'comment.added': commentAdded,
}
export type TasksEvents = typeof tasksEvents
