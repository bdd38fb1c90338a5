import { afterFilter, defineListQuery, oneOfFilter } from '@sallyport/rest'
import {
  belonging,
  createBodies,
  identity,
  idParams,
  ownedRows,
  requireCaller,
  resourceRoutes,
  textField,
  times,
} from '@sallyport/sql/resources'
import { z } from 'zod'
import type { ProjectRow, Rows } from '../database/tables.ts'
import { apiPath } from '../http/path.ts'

const name = textField({ min: 1, max: 100, example: 'Difference engine' })
const description = textField({ max: 2000, example: 'Tables without errors.' }).nullable()
const statuses = ['active', 'archived'] as const
const status = z.enum(statuses)

/** A project, as the REST API shows it. */
const resource = z
  .object({ ...identity, owner_id: belonging, name, description, status, ...times })
  .meta({ id: 'Project' })

const bodies = createBodies('Project', resource, {
  required: { name },
  cleared: { description: description.default(null) },
  initial: { status: status.default('active') },
})

const query = defineListQuery({
  sortable: ['created_at', 'updated_at', 'name', 'status'],
  defaultSort: '-created_at',
  searchable: 'name',
  filterable: { status: oneOfFilter(statuses), createdAfter: afterFilter('created_at') },
  fields: Object.keys(resource.shape),
})

export function projectRoutes({ projects }: { readonly projects: Rows<ProjectRow> }) {
  return resourceRoutes({
    tag: 'projects',
    noun: 'project',
    path: '/projects',
    resource,
    query,
    mountPath: apiPath,
    list: (_, query) => projects.list(query),
    create: {
      description: 'Every logged-in user may do this, and becomes the owner.',
      body: bodies.create,
      example: { name: 'Difference engine', description: 'Tables without errors.' },
      errors: ['CONFLICT'],
      run: ({ body }, context, together) =>
        projects.insert({ ...body, owner_id: requireCaller(context).sub }, together),
    },
    item: {
      path: '/projects/{id}',
      params: idParams,
      bodies,
      changedBy: 'Its owner and admins may do this.',
      ...ownedRows(projects, {
        toKey: (key: z.infer<typeof idParams>) => key,
        getOwner: ({ owner_id }) => owner_id,
        readOnly: ['owner_id'],
      }),
    },
  })
}
