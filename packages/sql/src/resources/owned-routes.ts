import { id, idParams } from '@sallyport/internal/resource-fields'
import type { ListQueryDefinition, RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { Repository } from '../rows/repository.ts'
import type { StoredRow } from '../rows/stored-row.ts'
import { ownedRows, requireCaller } from './changes.ts'
import type { ItemOptions, ResourceContext } from './options.ts'
import { resourceRoutes } from './routes.ts'

/** The columns of a row that the repository does not maintain. */
type Own<Row extends StoredRow> = Omit<Row, keyof StoredRow>

type Params = Readonly<Record<string, string>>

export interface OwnedOptions<Row extends StoredRow, Tables, Changes> {
  /** The noun, such as `comment`. The collection is `/comments`, or `/posts/{id}/comments` with a parent. */
  readonly noun: string
  /** The result of `defineResource`. */
  readonly definition: {
    readonly parents: readonly Exclude<keyof Row, keyof StoredRow>[]
    readonly resource: z.ZodObject
    readonly query: ListQueryDefinition
    readonly bodies: ItemOptions<Params, Row, Changes>['bodies'] & {
      readonly create: z.ZodType<Partial<Own<Row>>> & z.ZodObject
    }
  }
  readonly rows: Repository<Row, Tables>
  /** The column with the id of the owner, such as `author_id`. */
  readonly owner: keyof Own<Row> & string
  /** The row that the collection belongs to. @default the collection is at the root */
  readonly parent?: {
    readonly noun: string
    readonly rows: { readonly get: (key: { readonly id: string }) => Promise<StoredRow> }
    /** The column with the id of the parent, such as `post_id`. */
    readonly column: keyof Own<Row> & string
  }
  /** An example of the body of POST. */
  readonly example: unknown
  /** The mount path of the API in `Location`. @default that of the request */
  readonly mountPath?: string
}

/**
 * Creates the six routes of a resource that every logged-in user reads and creates, and that its owner and admins change. The
 * creator is the owner.
 *
 * @example
 * ```ts
 * import { defineResource, ownedRoutes, textField, createRepository, type StoredRow } from '@sallyport/sql/resources'
 * import type { Kysely } from 'kysely'
 * import type { z } from 'zod'
 *
 * const note = defineResource('Note', {
 *   parents: ['owner_id'],
 *   required: { text: textField({ min: 1, max: 200, example: 'Buy milk' }) },
 *   sortable: ['text'],
 *   searchable: 'text',
 * })
 * type Tables = { notes: StoredRow & z.output<typeof note.resource> }
 * declare const db: Kysely<Tables>
 *
 * const routes = ownedRoutes({
 *   noun: 'note',
 *   definition: note,
 *   rows: createRepository(db, 'notes', { noun: 'note' }),
 *   owner: 'owner_id',
 *   example: { text: 'Buy milk' },
 * })
 * ```
 */
export function ownedRoutes<
  Row extends StoredRow,
  Tables,
  Changes extends { readonly [Name in keyof Row]?: Row[Name] | undefined },
>({
  noun,
  definition,
  rows,
  owner,
  parent,
  example,
  mountPath,
}: OwnedOptions<Row, Tables, Changes>): readonly RouteBinding<ResourceContext>[] {
  const { parents, resource, query, bodies } = definition
  const path = `${parent ? `/${parent.noun}s/{id}` : ''}/${noun}s`
  const itemId = parent ? `${noun}_id` : 'id'
  const ownerNoun = owner.replace(/_id$/, '')
  const getScope = async ({ id = '' }: Params) =>
    parent ? { [parent.column]: (await parent.rows.get({ id })).id } : {}
  return resourceRoutes({
    ...{ noun, tag: `${noun}s`, path, resource, query },
    ...(parent && { params: idParams }),
    ...(mountPath !== undefined && { mountPath }),
    list: async (params: Params, query) => rows.list(query, (await getScope(params)) as Partial<Row>),
    create: {
      description: `Every logged-in user may do this, and becomes the ${ownerNoun}.`,
      ...{ body: bodies.create, example },
      errors: parent ? ['NOT_FOUND', 'CONFLICT'] : ['CONFLICT'],
      async run({ params, body }, context, together) {
        const scope = await getScope(params)
        const values = { ...body, ...scope, [owner]: requireCaller(context).sub }
        // The definition has the columns of the row.
        return rows.insert(values as Own<Row>, together)
      },
    },
    item: {
      path: `${path}/{${itemId}}`,
      params: z.object({ id, [itemId]: id }),
      bodies,
      changedBy: `Its ${ownerNoun} and admins may do this.`,
      ...ownedRows<Params, Row, Changes>(rows, {
        toKey: ({ id, [itemId]: own }) =>
          ({ ...(parent && { [parent.column]: id }), id: own }) as Partial<Row>,
        getOwner: (row) => String(row[owner]),
        readOnly: parents,
      }),
    },
  })
}
