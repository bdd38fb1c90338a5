import type { ErrorDetail } from '@sallyport/errors'
import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  formatETag,
  type ListQuery,
  type ListQueryDefinition,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import { kyselyIdempotencyStore } from '@sallyport/sql/idempotency'
import type { InTransaction, RowPage, StoredRow } from '@sallyport/sql/rows'
import type { z, ZodType } from 'zod'
import type { Tables } from '../database/tables.ts'
import type { Caller, RequestContext } from '../http/context.ts'
import { apiPath } from '../http/path.ts'
import { withReview, type Review } from './review.ts'

const route = createRouteGroup<Caller>({ etag: true })

/** A collection of rows, as the REST API shows them: the columns of the schema. */
export interface CollectionOptions<Params extends object, Row extends StoredRow> {
  readonly tag: string
  /** The noun, such as `post`. */
  readonly noun: string
  /** Such as `/posts`. */
  readonly path: string
  readonly params?: ZodType<Params, object>
  readonly resource: z.ZodObject
  readonly query: ListQueryDefinition
  readonly list: (params: Params, query: ListQuery) => Promise<RowPage<Row>>
}

export interface CreateOptions<Params extends object, Row extends StoredRow, Body> {
  readonly body: ZodType<Body> & z.ZodObject
  readonly example: unknown
  /** Sentences that say who may create the resource, and who owns it. */
  readonly description: string
  /** @default 'authenticated', with an `Idempotency-Key` */
  readonly access?: 'public'
  /** @default none */
  readonly errors?: readonly string[]
  /** @default 'default' */
  readonly rateLimit?: string
  /** @default no further problems */
  readonly review?: Review<Params>
  /** @param together runs in the transaction that inserts the row */
  readonly run: (
    request: { readonly params: Params; readonly body: Body },
    context: RequestContext,
    together: InTransaction<Row, Tables> | undefined,
  ) => Promise<Row>
}

export interface ItemOptions<Params extends object, Row extends StoredRow, Changes> {
  /** Such as `/posts/{id}`. */
  readonly path: string
  readonly params: ZodType<Params, object>
  readonly bodies: {
    readonly replace: ZodType<Changes> & z.ZodObject
    readonly patch: ZodType<Changes> & z.ZodObject
  }
  /** Sentences that say who may change the resource. */
  readonly changedBy: string
  /** Further error codes of a change. @default none */
  readonly changeErrors?: readonly string[]
  /** Further error codes of a deletion. @default none */
  readonly deleteErrors?: readonly string[]
  /** The access to DELETE, if it differs from that to PUT and PATCH. @default 'authenticated' */
  readonly deleteAccess?: RouteAccess
  readonly get: (params: Params) => Promise<Row>
  readonly review: Review<Params>
  readonly change: (params: Params, changes: Changes, context: RequestContext) => Promise<Row>
  readonly remove: (params: Params, context: RequestContext) => Promise<void>
}

type Routes = readonly RouteBinding<RequestContext>[]

/** Creates the GET route of a collection. */
export function listRoutes<Params extends object, Row extends StoredRow>(
  options: CollectionOptions<Params, Row>,
): Routes {
  const { noun, params, resource } = options
  const plural = `${noun}s`
  return [
    route.get(
      options.path,
      {
        operationId: `list${plural.split(' ').map(capitalize).join('')}`,
        summary: `List ${plural}`,
        description: 'Every logged-in user may do this. The newest come first unless `sort` says otherwise.',
        tags: [options.tag],
        ...(params && { params }),
        query: options.query,
        responses: { 200: { description: `A page of ${plural}`, list: resource } },
        // For the concurrency limit of searches.
        errors: params === undefined ? ['OVERLOADED'] : ['NOT_FOUND', 'OVERLOADED'],
      },
      typed(({ params, query }: { params: Params; query: ListQuery }, context: RequestContext) =>
        answerList(query, context, (list) => options.list(params, list), { map: createShow(resource) }),
      ),
    ),
  ]
}

/** Creates the routes of a resource: of its collection, and GET, PUT, PATCH and DELETE of an item. */
export function resourceRoutes<
  Params extends object,
  ItemParams extends object,
  Row extends StoredRow,
  Body,
  Changes,
>({
  create,
  item,
  ...collection
}: CollectionOptions<Params, Row> & {
  readonly create: CreateOptions<Params, Row, Body>
  readonly item: ItemOptions<ItemParams, Row, Changes>
}): Routes {
  const { tag, noun, params, resource: data } = collection
  const { access = 'authenticated', review = () => Promise.resolve<readonly ErrorDetail[]>([]) } = create
  const show = createShow(data)
  const name = capitalize(noun)
  const answer = (row: Row) => ({
    status: 200 as const,
    headers: { ETag: formatETag(row.version) },
    body: dataEnvelope(show(row)),
  })

  const post = route.post(
    collection.path,
    {
      operationId: `create${name}`,
      summary: `Create a ${noun}`,
      description: create.description,
      tags: [tag],
      access,
      ...(params && { params }),
      body: create.body,
      bodyExample: create.example,
      responses: {
        201: { description: `The ${noun}`, data, headers: { Location: `The address of the ${noun}` } },
      },
      errors: create.errors ?? [],
      idempotencyKey: access === 'authenticated',
      ...(create.rateLimit !== undefined && { rateLimit: create.rateLimit }),
    },
    typed(async (request: { params: Params; body: Body }, context: RequestContext) => {
      const { saveResult, path } = context
      const getResult = (row: Row) => {
        const headers = { ETag: formatETag(row.version), Location: `${apiPath}${path}/${row.id}` }
        return { status: 201 as const, headers, body: dataEnvelope(show(row)) }
      }
      let saved: ReturnType<typeof getResult> | undefined
      const together: InTransaction<Row, Tables> | undefined =
        saveResult &&
        ((row, transaction) => saveResult((saved = getResult(row)), kyselyIdempotencyStore(transaction)))
      const row = await create.run(request, context, together)
      return saved ?? getResult(row)
    }),
  )

  const common = { tags: [tag], params: item.params }
  const responses = { 200: { description: `The ${noun}`, data } }
  const changing = { ...common, responses, errors: ['NOT_FOUND', 'FORBIDDEN', ...(item.changeErrors ?? [])] }
  const change = typed(
    async ({ params, body }: { params: ItemParams; body: Changes }, context: RequestContext) =>
      answer(await item.change(params, body, context)),
  )
  const get = route.get(
    item.path,
    {
      ...common,
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      description: 'Every logged-in user may do this.',
      responses,
      errors: ['NOT_FOUND'],
    },
    typed(async ({ params }: { params: ItemParams }) => answer(await item.get(params))),
  )
  const put = route.put(
    item.path,
    {
      ...changing,
      operationId: `replace${name}`,
      summary: `Replace a ${noun}`,
      description: `${item.changedBy} A field that the body omits gets its default; without a default it stays.`,
      body: item.bodies.replace,
    },
    change,
  )
  const patch = route.patch(
    item.path,
    {
      ...changing,
      operationId: `patch${name}`,
      summary: `Change a ${noun}`,
      description: `${item.changedBy} Fields that the body omits stay.`,
      body: item.bodies.patch,
    },
    change,
  )
  const remove = route.delete(
    item.path,
    {
      ...common,
      operationId: `delete${name}`,
      summary: `Delete a ${noun} and what belongs to it`,
      ...(item.deleteAccess === undefined && { description: item.changedBy }),
      access: item.deleteAccess ?? 'authenticated',
      responses: { 204: { description: 'The resource is deleted' } },
      errors: ['NOT_FOUND', 'FORBIDDEN', ...(item.deleteErrors ?? [])],
    },
    typed(async ({ params }: { params: ItemParams }, context: RequestContext) => {
      await item.remove(params, context)
      return { status: 204 as const }
    }),
  )
  return [
    ...listRoutes(collection),
    withReview(post, create.body, review),
    get,
    withReview(put, item.bodies.replace, item.review),
    withReview(patch, item.bodies.patch, item.review),
    remove,
  ]
}

/** Types the parts of a request, which the schemas of the route produce. */
const typed =
  <Request, Context, Result>(handler: (request: Request, context: Context) => Promise<Result>) =>
  (request: unknown, context: Context): Promise<Result> =>
    handler(request as Request, context)

const capitalize = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1)

/** Creates the function that returns the columns of a row that a schema names. */
function createShow({ shape }: z.ZodObject): (row: object) => Record<string, unknown> {
  const names = Object.keys(shape)
  return (row) => {
    const columns = row as Readonly<Record<string, unknown>>
    return Object.fromEntries(names.map((name) => [name, columns[name]]))
  }
}
