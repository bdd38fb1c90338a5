import { createCursorCodec, defineListQuery, type ListQuery, listFilter } from '@sallyport/rest'
import { z } from 'zod'
import { defineMicro } from '../frame/micro.ts'

const query =
  'page=2&limit=50&sort=-created_at,name&search=ann&status=active&createdAfter=2026-01-31T12:00:00Z&fields=id,name'

const sortable = ['created_at', 'updated_at', 'name', 'email', 'status'] as const
const fields = ['id', 'name', 'email', 'role', 'status', 'created_at', 'updated_at'] as const
const statuses = ['active', 'suspended'] as const

/** The common result of both sides. */
interface Parsed {
  readonly page: number
  readonly limit: number
  readonly sort: readonly (readonly [field: string, direction: string])[]
  readonly fields: readonly string[] | undefined
  readonly search: string | undefined
  readonly status: string | undefined
  readonly createdAfter: string | undefined
}

export default defineMicro({
  name: 'list-query',
  what: `Parses and validates the query of a list, strictly: \`?${query}\`.`,
  base: 'zod by hand',
  prepare: () => undefined,
  agree: (result) => result,
  sides: [
    {
      name: 'zod by hand',
      does: 'URLSearchParams, a loop that rejects duplicates, then a strict object schema with limits, enumerations and unique lists. Builds no conditions, does not limit the length of the query, accepts invalid percent-encoding.',
      setup: () => () => parseByHand(query),
    },
    {
      name: '@sallyport/rest',
      does: 'The list query of the users of the reference server. Also builds the complete sort (with the unique id as the last key) and the conditions of filters and search, and rejects invalid percent-encoding and NUL.',
      setup() {
        const cursors = createCursorCodec({ keys: [new Uint8Array(32)] })
        const users = defineListQuery({
          sortable,
          defaultSort: '-created_at',
          searchable: 'name',
          filterable: { status: listFilter.oneOf(statuses), createdAfter: listFilter.after('created_at') },
          fields,
        })
        return () => shown(users.parse(query, { cursors }))
      },
    },
  ],
})

function shown({
  pagination,
  sort,
  fields,
  search,
  filters,
}: ListQuery<string, string, { readonly status?: string; readonly createdAfter?: string }>): Parsed {
  if (pagination.kind !== 'offset') throw new TypeError('The query asks for an offset page')
  const { page, limit } = pagination
  const { status, createdAfter } = filters
  // The kit appends the id to every sort.
  const asked = sort.slice(0, -1).map(({ field, direction }) => [field, direction] as const)
  return { page, limit, sort: asked, fields, search, status, createdAfter }
}

const whole = z
  .string()
  .regex(/^[0-9]+$/)
  .transform(Number)
const unique = (values: readonly string[]) => new Set(values).size === values.length

const schema = z.strictObject({
  page: whole.pipe(z.number().min(1).max(10_000_000)).default(1),
  limit: whole.pipe(z.number().min(1).max(100)).default(20),
  cursor: z.string().optional(),
  sort: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) =>
          part.startsWith('-')
            ? { field: part.slice(1), direction: 'desc' }
            : { field: part, direction: 'asc' },
        ),
    )
    .pipe(z.array(z.object({ field: z.enum(sortable), direction: z.string() })))
    .refine((keys) => unique(keys.map(({ field }) => field)))
    .default([{ field: 'created_at', direction: 'desc' }]),
  search: z.string().max(200).optional(),
  status: z.enum(statuses).optional(),
  createdAfter: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()])
    .transform((text) => new Date(text).toISOString())
    .optional(),
  fields: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(fields)))
    .refine(unique)
    .optional(),
})

function parseByHand(text: string): Parsed {
  const values: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(values, name)) throw new TypeError(`${name} is a duplicate`)
    values[name] = value
  }
  const { page, limit, sort, fields, search, status, createdAfter } = schema.parse(values)
  return {
    page,
    limit,
    sort: sort.map(({ field, direction }) => [field, direction] as const),
    fields,
    search,
    status,
    createdAfter,
  }
}
