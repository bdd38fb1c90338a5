import { z } from 'zod'
import type { TaskRow, ProjectRow } from '../database/tables.ts'
import { belonging, id, identity, createPatchSchema, text, times, idParams } from './fields.ts'
import type { ErrorDetail } from '@sallyport/errors'
import { afterFilter, defineListQuery, oneOfFilter, type RouteBinding } from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import type { RequestContext } from '../http/context.ts'
import {
  compare,
  readOnlyProblems,
  requireChangeable,
  requireNoProblems,
  requireOwnership,
} from './changes.ts'
import { createRoute, listRoute } from './collection.ts'
import { itemRoutes } from './item.ts'
import type { Users } from '../users/repository.ts'

const title = text({ min: 1, max: 200, example: 'Cut the cards' })
const description = text({ max: 2000, example: 'One for each operation.' }).nullable()
const assignee_id = id.nullable()
const due_on = z.iso.date().nullable()

const taskStatuses = ['open', 'in_progress', 'done'] as const
const status = z.enum(taskStatuses)

/** A task, as the REST API shows it. */
const taskResource = z
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

type TaskResource = z.infer<typeof taskResource>

/** The defaults of optional fields. */
const unset = {
  description: description.default(null),
  assignee_id: assignee_id.default(null),
  due_on: due_on.default(null),
}

const createTaskBody = z
  .strictObject({ title, ...unset, status: status.default('open') })
  .meta({ id: 'CreateTask' })

const anyField = { ...taskResource.partial().shape, title }

const replaceTaskBody = z.strictObject({ ...anyField, ...unset }).meta({ id: 'ReplaceTask' })

const patchTaskBody = createPatchSchema(z.strictObject(anyField)).meta({ id: 'PatchTask' })

const taskParams = z.object({ id, task_id: id })

function toTask(task: TaskRow): TaskResource {
  const { id, project_id, title, description, assignee_id, due_on, status, created_at, updated_at } = task
  return { id, project_id, title, description, assignee_id, due_on, status, created_at, updated_at }
}

const taskQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'title', 'status'],
  defaultSort: '-created_at',
  searchable: 'title',
  filterable: { status: oneOfFilter(taskStatuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(taskResource.shape),
})

export function taskRoutes(options: {
  readonly tasks: Repository<TaskRow>
  readonly projects: Repository<ProjectRow>
  readonly users: Users
}): readonly RouteBinding<RequestContext>[] {
  const { tasks, projects, users } = options
  const common = {
    tag: 'tasks',
    path: '/projects/{id}/tasks',
    params: idParams,
    resource: taskResource,
    show: toTask,
  }
  const getKey = ({ id, task_id }: z.infer<typeof taskParams>) => ({ project_id: id, id: task_id })

  async function assigneeProblems(id: unknown): Promise<readonly ErrorDetail[]> {
    if (typeof id !== 'string' || (await users.find({ id })) !== undefined) return []
    return [{ code: 'NOT_FOUND', field: 'assignee_id', in: 'body', message: 'There is no such user' }]
  }

  return [
    listRoute({
      ...common,
      plural: 'tasks',
      query: taskQuery,
      async list(key, query) {
        const { id } = await projects.get(key)
        return tasks.list(query, { project_id: id })
      },
    }),
    createRoute({
      ...common,
      noun: 'task',
      description: "The project's owner and admins may do this.",
      body: createTaskBody,
      example: { title: 'Cut the cards', due_on: '1842-10-01' },
      errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
      review: (_, { assignee_id }) => assigneeProblems(assignee_id),
      async create(key, body, context, together) {
        const project = await projects.get(key)
        requireOwnership(context, project.owner_id)
        requireNoProblems(await assigneeProblems(body.assignee_id))
        return tasks.insert({ ...body, project_id: project.id }, together)
      },
    }),
    ...itemRoutes({
      ...common,
      noun: 'task',
      path: '/projects/{id}/tasks/{task_id}',
      params: taskParams,
      replaceBody: replaceTaskBody,
      patchBody: patchTaskBody,
      changedBy:
        "The project's owner and admins may do this. The assignee may change the task, but not delete it.",
      // The new assignee may be deleted at the same time.
      changeErrors: ['CONFLICT'],
      get: (params) => tasks.get(getKey(params)),
      async review(params, fields) {
        const task = await tasks.find(getKey(params))
        const { assignee_id } = fields
        const assigned = task?.assignee_id === assignee_id ? [] : await assigneeProblems(assignee_id)
        return [...readOnlyProblems(task, fields, 'project_id'), ...assigned]
      },
      change: (params, body, context) =>
        tasks.change(getKey(params), async (task) => {
          const project = await projects.get({ id: task.project_id })
          requireChangeable(context, task, project.owner_id, task.assignee_id)
          const { changes, problems } = compare(task, body, 'project_id')
          requireNoProblems([...problems, ...(await assigneeProblems(changes.assignee_id))])
          return changes
        }),
      async remove(params, context) {
        const project = await projects.find({ id: params.id })
        await tasks.remove(getKey(params), (task) => {
          requireChangeable(context, task, project?.owner_id ?? null)
        })
      },
    }),
  ]
}
