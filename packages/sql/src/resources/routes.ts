import type { ErrorDetail } from '@sallyport/errors'
import { createRouteGroup, dataEnvelope, formatETag, type RouteBinding } from '@sallyport/rest'
import { createKyselyIdempotencyStore } from '../idempotency/idempotency-store.ts'
import type { StoredRow } from '../rows/stored-row.ts'
import type {
  CollectionOptions,
  CreateOptions,
  ItemOptions,
  ResourceCaller,
  ResourceContext,
  StoreResponse,
} from './options.ts'
import { withReview } from './review.ts'
import { listRoutes } from './list-routes.ts'
import { capitalize, createShow, typed } from './route-parts.ts'

const route = createRouteGroup<ResourceCaller>({ etag: true })

type Routes = readonly RouteBinding<ResourceContext>[]

/**
 * Creates the routes of a resource: GET of its collection, POST with `create`, and GET, PUT, PATCH and DELETE of an item with
 * `item`. Responses have the version of the row as `ETag`, and the response to a POST with an `Idempotency-Key` is stored in
 * the transaction of the row.
 *
 * `ownedRoutes` does the same with less for a resource that belongs to the user who creates it.
 */
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
  readonly create?: CreateOptions<Params, Row, Body>
  readonly item?: ItemOptions<ItemParams, Row, Changes>
}): Routes {
  return [
    ...listRoutes(collection),
    ...(create ? [createRoute(collection, create)] : []),
    ...(item ? itemRoutes(collection, item) : []),
  ]
}

/** Creates POST of a collection. */
function createRoute<Params extends object, Row extends StoredRow, Body>(
  collection: CollectionOptions<Params, Row>,
  create: CreateOptions<Params, Row, Body>,
): Routes[number] {
  const { tag, noun, params, resource: data } = collection
  const { access = 'authenticated', review = () => Promise.resolve<readonly ErrorDetail[]>([]) } = create
  const show = createShow(data)
  const post = route.post(
    collection.path,
    {
      operationId: `create${capitalize(noun)}`,
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
    typed(async (request: { params: Params; body: Body }, context: ResourceContext) => {
      const { saveResult, path } = context
      const mountPath = collection.mountPath ?? context.mountPath
      const getResult = (row: Row) => {
        const headers = { ETag: formatETag(row.version), Location: `${mountPath}${path}/${row.id}` }
        return { status: 201 as const, headers, body: dataEnvelope(show(row)) }
      }
      let saved: ReturnType<typeof getResult> | undefined
      const together: StoreResponse<Row> | undefined =
        saveResult &&
        ((row, transaction) =>
          saveResult((saved = getResult(row)), createKyselyIdempotencyStore(transaction)))
      const row = await create.run(request, context, together)
      return saved ?? getResult(row)
    }),
  )

  return withReview(post, create.body, review)
}

/** Creates GET, PUT, PATCH and DELETE of an item. */
function itemRoutes<ItemParams extends object, Row extends StoredRow, Changes>(
  { tag, noun, resource: data }: Pick<CollectionOptions<never, Row>, 'tag' | 'noun' | 'resource'>,
  item: ItemOptions<ItemParams, Row, Changes>,
): Routes {
  const show = createShow(data)
  const name = capitalize(noun)
  const answer = (row: Row) => ({
    status: 200 as const,
    headers: { ETag: formatETag(row.version) },
    body: dataEnvelope(show(row)),
  })
  const common = { tags: [tag], params: item.params }
  const responses = { 200: { description: `The ${noun}`, data } }
  const changing = { ...common, responses, errors: ['NOT_FOUND', 'FORBIDDEN', ...(item.changeErrors ?? [])] }
  const change = typed(
    async ({ params, body }: { params: ItemParams; body: Changes }, context: ResourceContext) =>
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
    typed(async ({ params }: { params: ItemParams }, context: ResourceContext) => {
      await item.remove(params, context)
      return { status: 204 as const }
    }),
  )
  return [
    get,
    withReview(put, item.bodies.replace, item.review),
    withReview(patch, item.bodies.patch, item.review),
    remove,
  ]
}
