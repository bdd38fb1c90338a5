import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type RouteAccess,
  type RouteBinding,
  listFilter,
} from '@sallyport/rest'
import type { AuditEntry, AuditFilter, AuditLog } from '@sallyport/webhooks/audit'
import { z } from 'zod'
import { id, time } from '@sallyport/internal/resource-fields'
import { getTimePosition } from '../time-position.ts'

const route = createRouteGroup({ tags: ['audit'] })

const entryResource = z
  .object({
    id,
    actor_id: z.string().meta({ examples: ['ann'] }),
    actor_name: z
      .string()
      .nullable()
      .meta({ description: 'The name at the time of the action.', examples: ['ann@example.com'] }),
    action: z.string().meta({ examples: ['endpoint.delete'] }),
    target: z
      .string()
      .nullable()
      .meta({
        description: 'The id of the resource; null for an action on several resources.',
        examples: ['5Xo2aPq0VnTr8hZkWm3uYd'],
      }),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Names, ids and counts; never a secret.', examples: [{ provider: 'codehost' }] }),
    created_at: time,
  })
  .meta({ id: 'AuditEntry' })

type EntryResource = z.infer<typeof entryResource>

const listQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  filterable: {
    actor: listFilter.text({ description: 'The id or the name of the actor, exactly.' }),
    action: listFilter.text(),
    target: listFilter.text(),
    createdAfter: listFilter.after('created_at'),
    createdBefore: listFilter.before('created_at'),
  },
  fields: Object.keys(entryResource.shape) as (keyof EntryResource)[],
})

/** An entry with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly entry: AuditEntry
}

/** Creates the route that lists what operators did. */
export function listAuditRoute(audit: Pick<AuditLog, 'list' | 'count'>, access: RouteAccess): RouteBinding {
  return route.get(
    '/audit',
    {
      operationId: 'listAudit',
      tool: {},
      summary: 'List what operators did',
      description:
        'Replays, erasures, and changes of endpoints and keys, by the time of the action. `action` is an exact name such as `endpoint.create`.',
      access,
      query: listQuery,
      responses: { 200: { description: 'A page of entries', list: entryResource } },
      etag: true,
    },
    async ({ query }, context) => {
      const { createdAfter, createdBefore, ...filters } = query.filters
      const filter: AuditFilter = {
        ...filters,
        ...(createdAfter !== undefined && { createdAfter: Date.parse(createdAfter) }),
        ...(createdBefore !== undefined && { createdBefore: Date.parse(createdBefore) }),
      }
      const [entries, total] = await Promise.all([
        audit.list({ ...filter, ...getTimePosition(query) }),
        query.pagination.kind === 'offset' ? audit.count(filter) : 0,
      ])
      const rows = entries.map((entry): Row => ({ created_at: entry.createdAt, id: entry.id, entry }))
      return await answerList(query, context, () => ({ rows, total }), {
        map: ({ entry }) => toResource(entry),
      })
    },
  )
}

function toResource({ actor, target, createdAt, ...entry }: AuditEntry): EntryResource {
  return {
    id: entry.id,
    actor_id: actor.id,
    actor_name: actor.name ?? null,
    action: entry.action,
    target: target ?? null,
    detail: entry.detail,
    created_at: new Date(createdAt).toISOString(),
  }
}
