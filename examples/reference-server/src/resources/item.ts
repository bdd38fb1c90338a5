import { dataEnvelope, defineRoute, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { z, ZodType } from 'zod'
import type { StoredRow } from '../database/tables.ts'
import type { RequestContext } from '../http/context.ts'
import { bind, bindReviewed, capitalized, type Review } from './bind.ts'
import { versionHeaders } from './changes.ts'

/** What the routes of one resource of a kind are made from. */
export interface ItemOptions<Params extends object, Changes, Row extends StoredRow, Resource> {
  /** What it is called, such as `post`. */
  readonly noun: string
  readonly tag: string
  /** Such as `/posts/{id}`. */
  readonly path: string
  readonly params: ZodType<Params, object>
  readonly resource: ZodType<Resource>
  readonly replaceBody: ZodType<Changes> & z.ZodObject
  readonly patchBody: ZodType<Changes> & z.ZodObject
  /** Who may change it, in a sentence. */
  readonly changedBy: string
  /** What changing it may be refused with, beside 403, 404 and 412. @default nothing */
  readonly changeErrors?: readonly string[]
  /** Codes of a refused deletion, beside 403, 404 and 412. @default none */
  readonly deleteErrors?: readonly string[]
  /** Who may delete it, where that is not who may change it. @default 'authenticated' */
  readonly deleteAccess?: RouteAccess
  readonly show: (row: Row) => Resource
  readonly get: (params: Params) => Promise<Row>
  /** What else is wrong with a change that the schema refuses. */
  readonly review: Review<Params>
  readonly change: (params: Params, changes: Changes, context: RequestContext) => Promise<Row>
  readonly remove: (params: Params, context: RequestContext) => Promise<void>
}

/** GET, PUT, PATCH and DELETE of one resource. */
export function itemRoutes<Params extends object, Changes, Row extends StoredRow, Resource>(
  options: ItemOptions<Params, Changes, Row, Resource>,
): readonly RouteBinding<RequestContext>[] {
  const { noun, path, resource, show } = options
  const name = capitalized(noun)
  const common = {
    path,
    tags: [options.tag],
    access: 'authenticated',
    params: options.params,
    errors: ['NOT_FOUND'],
    etag: true,
  } as const
  const shown = { 200: { description: `The ${noun}`, data: resource } }
  const changing = {
    ...common,
    description: options.changedBy,
    responses: shown,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', ...(options.changeErrors ?? [])],
  }

  const get = defineRoute({
    ...common,
    method: 'GET',
    operationId: `get${name}`,
    summary: `Get a ${noun}`,
    responses: shown,
  })
  const replace = defineRoute({
    ...changing,
    method: 'PUT',
    operationId: `replace${name}`,
    summary: `Replace a ${noun}`,
    body: options.replaceBody,
  })
  const patch = defineRoute({
    ...changing,
    method: 'PATCH',
    operationId: `patch${name}`,
    summary: `Change a ${noun}`,
    body: options.patchBody,
  })
  const remove = defineRoute({
    ...common,
    method: 'DELETE',
    operationId: `delete${name}`,
    summary: `Delete a ${noun} and what belongs to it`,
    ...(options.deleteAccess === undefined && { description: options.changedBy }),
    access: options.deleteAccess ?? 'authenticated',
    responses: { 204: { description: 'It is gone' } },
    errors: ['NOT_FOUND', 'FORBIDDEN', ...(options.deleteErrors ?? [])],
  })

  const answer = (row: Row) => ({ status: 200, headers: versionHeaders(row), body: dataEnvelope(show(row)) })
  return [
    bind<Params>(get, async ({ params }) => answer(await options.get(params))),
    ...[replace, patch].map((route) =>
      bindReviewed<Params, Changes>(route, route.body, options.review, async ({ params, body }, context) =>
        answer(await options.change(params, body, context)),
      ),
    ),
    bind<Params>(remove, async ({ params }, context) => {
      await options.remove(params, context)
      return { status: 204 }
    }),
  ]
}
