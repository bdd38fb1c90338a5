import { z } from 'zod'
import type { ProjectRow } from '../database/tables.ts'
import { belonging, identity, createPatchSchema, text, times, idParams } from './fields.ts'
import { afterFilter, defineListQuery, oneOfFilter, type RouteBinding } from '@sallyport/rest'
import type { Repository } from '../database/repository.ts'
import { requireCaller, type RequestContext } from '../http/context.ts'
import { ownedRows } from './owned-rows.ts'
import { createRoute, listRoute } from './collection.ts'
import { itemRoutes } from './item.ts'

const name = text({ min: 1, max: 100, example: 'Difference engine' })
const description = text({ max: 2000, example: 'Tables without errors.' }).nullable()

const projectStatuses = ['active', 'archived'] as const
const status = z.enum(projectStatuses)

/** A project, as the REST API shows it. */
const projectResource = z
  .object({ ...identity, owner_id: belonging, name, description, status, ...times })
  .meta({ id: 'Project' })

type ProjectResource = z.infer<typeof projectResource>

const createProjectBody = z
  .strictObject({ name, description: description.default(null), status: status.default('active') })
  .meta({ id: 'CreateProject' })

const anyField = { ...projectResource.partial().shape, name }

const replaceProjectBody = z
  .strictObject({ ...anyField, description: description.default(null) })
  .meta({ id: 'ReplaceProject' })

const patchProjectBody = createPatchSchema(z.strictObject(anyField)).meta({ id: 'PatchProject' })

function toProject(project: ProjectRow): ProjectResource {
  const { id, owner_id, name, description, status, created_at, updated_at } = project
  return { id, owner_id, name, description, status, created_at, updated_at }
}

const projectQuery = defineListQuery({
  sortable: ['created_at', 'updated_at', 'name', 'status'],
  defaultSort: '-created_at',
  searchable: 'name',
  filterable: { status: oneOfFilter(projectStatuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(projectResource.shape),
})

export function projectRoutes(options: {
  readonly projects: Repository<ProjectRow>
}): readonly RouteBinding<RequestContext>[] {
  const { projects } = options
  const common = { tag: 'projects', path: '/projects', resource: projectResource, show: toProject }
  return [
    listRoute({
      ...common,
      plural: 'projects',
      query: projectQuery,
      list: (_, query) => projects.list(query),
    }),
    createRoute({
      ...common,
      noun: 'project',
      description: 'Every logged-in user may do this, and becomes the owner.',
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
      changedBy: 'Its owner and admins may do this.',
      ...ownedRows(projects, {
        toKey: (key: z.infer<typeof idParams>) => key,
        getOwner: ({ owner_id }) => owner_id,
        readOnly: ['owner_id'],
      }),
    }),
  ]
}
