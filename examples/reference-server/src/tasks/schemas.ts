import { z } from 'zod'
import type { TaskRow } from '../database/tables.ts'
import { belonging, id, identity, createPatchSchema, text, times } from '../resources/fields.ts'

const title = text({ min: 1, max: 200, example: 'Cut the cards' })
const description = text({ max: 2000, example: 'One for each operation.' }).nullable()
const assignee_id = id.nullable()
const due_on = z.iso.date().nullable()

export const taskStatuses = ['open', 'in_progress', 'done'] as const
const status = z.enum(taskStatuses)

/** A task, as the REST API shows it. */
export const taskResource = z
  .object({
    ...identity,
    project_id: belonging,
    title,
    description,
    assignee_id,
    due_on,
    status,
    ...times,
  })
  .meta({ id: 'Task' })

export type TaskResource = z.infer<typeof taskResource>

/** The defaults of optional fields. */
const unset = {
  description: description.default(null),
  assignee_id: assignee_id.default(null),
  due_on: due_on.default(null),
}

export const createTaskBody = z
  .strictObject({ title, ...unset, status: status.default('open') })
  .meta({ id: 'CreateTask' })

const anyField = { ...taskResource.partial().shape, title }

export const replaceTaskBody = z.strictObject({ ...anyField, ...unset }).meta({ id: 'ReplaceTask' })

export const patchTaskBody = createPatchSchema(z.strictObject(anyField)).meta({ id: 'PatchTask' })

export const taskParams = z.object({ id, task_id: id })

export function toTask(task: TaskRow): TaskResource {
  const { id, project_id, title, description, assignee_id, due_on, status, created_at, updated_at } = task
  return { id, project_id, title, description, assignee_id, due_on, status, created_at, updated_at }
}
