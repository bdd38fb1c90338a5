import type { ErrorDetail } from '@sallyport/errors'
import { id, resourceRoutes, rowRules } from '@sallyport/sql/resources'
import type { Users } from '@sallyport/sql/accounts'
import { z } from 'zod'
import type { ProjectRow, Rows, TaskRow } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'
import { task as definition } from './definitions.ts'

const { compare, readOnlyProblems, requireChangeable, requireNoProblems, requireOwnership } = rowRules
const itemParams = z.object({ id, task_id: id })

const getKey = ({ id, task_id }: z.infer<typeof itemParams>) => ({ project_id: id, id: task_id })

export function taskRoutes({
  tasks,
  projects,
  users,
}: {
  readonly tasks: Rows<TaskRow>
  readonly projects: Rows<ProjectRow>
  readonly users: Pick<Users, 'find'>
}) {
  async function assigneeProblems(id: unknown): Promise<readonly ErrorDetail[]> {
    if (typeof id !== 'string' || (await users.find({ id })) !== undefined) return []
    return [{ code: 'NOT_FOUND', field: 'assignee_id', in: 'body', message: 'There is no such user' }]
  }

  const { resource, query, bodies } = definition
  return resourceRoutes({
    tag: 'tasks',
    noun: 'task',
    path: '/projects/{id}/tasks',
    params: z.object({ id }),
    resource,
    query,
    mountPath: apiPath,
    async list(key, query) {
      const { id } = await projects.get(key)
      return tasks.list(query, { project_id: id })
    },
    create: {
      description: "The project's owner and admins may do this.",
      body: bodies.create,
      example: { title: 'Cut the cards', due_on: '1842-10-01' },
      errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
      review: (_, { assignee_id }) => assigneeProblems(assignee_id),
      async run({ params, body }, context, together) {
        const project = await projects.get(params)
        requireOwnership(context, project.owner_id)
        requireNoProblems(await assigneeProblems(body.assignee_id))
        return tasks.insert({ ...body, project_id: project.id }, together)
      },
    },
    item: {
      path: '/projects/{id}/tasks/{task_id}',
      params: itemParams,
      bodies,
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
    },
  })
}
