import {
  afterFilter,
  defineListQuery,
  oneOfFilter,
  type CursorCodec,
  type RouteBinding,
} from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import type { ProjectRow } from '../database/tables.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { getChanges, readOnlyProblems, requireChangeable } from '../resources/changes.ts'
import { createRoute, listRoute } from '../resources/collection.ts'
import { idParams } from '../resources/fields.ts'
import { itemRoutes } from '../resources/item.ts'
import {
  createProjectBody,
  patchProjectBody,
  projectResource,
  projectStatuses,
  replaceProjectBody,
  toProject,
} from './schemas.ts'

const projectQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'name', 'status'],
  defaultSort: '-created_at',
  searchable: 'name',
  filterable: { status: oneOfFilter(projectStatuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(projectResource.shape),
})

export function projectRoutes(options: {
  readonly projects: Repository<ProjectRow>
  readonly cursors: CursorCodec
}): readonly RouteBinding<RequestContext>[] {
  const { projects, cursors } = options
  const common = { tag: 'projects', path: '/projects', resource: projectResource, show: toProject }
  return [
    listRoute({
      ...common,
      plural: 'projects',
      query: projectQuery,
      cursors,
      list: (_, query) => projects.list(query),
    }),
    createRoute({
      ...common,
      noun: 'project',
      body: createProjectBody,
      example: { name: 'Difference engine', description: 'Tables without errors.' },
      errors: ['CONFLICT'],
      create: (_, body, context, together) =>
        projects.insert({ ...body, owner_id: requireCaller(context).sub }, together),
    }),
    ...itemRoutes({
      ...common,
      noun: 'project',
      path: '/projects/{id}',
      params: idParams,
      replaceBody: replaceProjectBody,
      patchBody: patchProjectBody,
      changedBy: 'By its owner and by admins.',
      get: (key) => projects.get(key),
      review: async (key, fields) => readOnlyProblems(await projects.find(key), fields, 'owner_id'),
      change: (key, body, context) =>
        projects.change(key, (project) => {
          requireChangeable(context, project, project.owner_id)
          return getChanges(project, body, 'owner_id')
        }),
      remove: (key, context) =>
        projects.remove(key, (project) => {
          requireChangeable(context, project, project.owner_id)
        }),
    }),
  ]
}
