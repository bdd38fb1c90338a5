import { dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { z, ZodType } from 'zod'
import type { StoredRow } from '../database/tables.ts'
import type { RequestContext } from '../http/context.ts'
import { capitalized, route, withParts, withReview, type Parts, type Review } from './resource-binding.ts'
import { versionHeaders } from './changes.ts'

/** The options of the routes of a resource. */
export interface ItemOptions<Params extends object, Changes, Row extends StoredRow, Resource> {
  /** The noun, such as `post`. */
  readonly noun: string
  readonly tag: string
  /** Such as `/posts/{id}`. */
  readonly path: string
  readonly params: ZodType<Params, object>
  readonly resource: ZodType<Resource>
  readonly replaceBody: ZodType<Changes> & z.ZodObject
  readonly patchBody: ZodType<Changes> & z.ZodObject
  /** Sentences that say who may change the resource. */
  readonly changedBy: string
  /** Additional error codes of a change. @default none */
  readonly changeErrors?: readonly string[]
  /** Additional error codes of a deletion. @default none */
  readonly deleteErrors?: readonly string[]
  /** The access to DELETE, if it differs from that to PUT and PATCH. @default 'authenticated' */
  readonly deleteAccess?: RouteAccess
  readonly show: (row: Row) => Resource
  readonly get: (params: Params) => Promise<Row>
  /** Finds other problems of a change that the schema rejects. */
  readonly review: Review<Params>
  readonly change: (params: Params, changes: Changes, context: RequestContext) => Promise<Row>
  readonly remove: (params: Params, context: RequestContext) => Promise<void>
}

/** Creates the GET, PUT, PATCH and DELETE routes of a resource. */
export function itemRoutes<Params extends object, Changes, Row extends StoredRow, Resource>(
  options: ItemOptions<Params, Changes, Row, Resource>,
): readonly RouteBinding<RequestContext>[] {
  const { noun, path, resource, show } = options
  const name = capitalized(noun)
  const common = { tags: [options.tag], params: options.params, errors: ['NOT_FOUND'], etag: true }
  const responses = { 200: { description: `The ${noun}`, data: resource } }
  const changing = {
    ...common,
    responses,
    errors: ['NOT_FOUND', 'FORBIDDEN', ...(options.changeErrors ?? [])],
  }
  const answer = (row: Row) => ({
    status: 200 as const,
    headers: versionHeaders(row),
    body: dataEnvelope(show(row)),
  })
  const change = withParts(
    async ({ params, body }: Parts<Params, undefined, Changes>, context: RequestContext) =>
      answer(await options.change(params, body, context)),
  )

  const get = route.get(
    path,
    {
      ...common,
      operationId: `get${name}`,
      summary: `Get a ${noun}`,
      description: 'Every logged-in user may do this.',
      responses,
    },
    withParts(async ({ params }: Parts<Params>) => answer(await options.get(params))),
  )
  const replace = route.put(
    path,
    {
      ...changing,
      operationId: `replace${name}`,
      summary: `Replace a ${noun}`,
      description: `${options.changedBy} A field that the body omits gets its default; without a default it stays.`,
      body: options.replaceBody,
    },
    change,
  )
  const patch = route.patch(
    path,
    {
      ...changing,
      operationId: `patch${name}`,
      summary: `Change a ${noun}`,
      description: `${options.changedBy} Fields that the body omits stay.`,
      body: options.patchBody,
    },
    change,
  )
  const remove = route.delete(
    path,
    {
      ...common,
      operationId: `delete${name}`,
      summary: `Delete a ${noun} and what belongs to it`,
      ...(options.deleteAccess === undefined && { description: options.changedBy }),
      access: options.deleteAccess ?? 'authenticated',
      responses: { 204: { description: 'The resource is deleted' } },
      errors: ['NOT_FOUND', 'FORBIDDEN', ...(options.deleteErrors ?? [])],
    },
    withParts(async ({ params }: Parts<Params>, context: RequestContext) => {
      await options.remove(params, context)
      return { status: 204 as const }
    }),
  )
  return [
    get,
    withReview(replace, options.replaceBody, options.review),
    withReview(patch, options.patchBody, options.review),
    remove,
  ]
}
