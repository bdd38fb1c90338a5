import {
  answerList,
  dataEnvelope,
  type ListQuery,
  type ListQueryDefinition,
  type RouteBinding,
} from '@sallyport/rest'
import { kyselyIdempotencyStore } from '@sallyport/sql/idempotency'
import type { z, ZodType } from 'zod'
import type { Page, InTransaction } from '../database/repository.ts'
import type { StoredRow } from '../database/tables.ts'
import type { RequestContext } from '../http/context.ts'
import { capitalized, route, withParts, withReview, type Parts, type Review } from './resource-binding.ts'
import { creationHeaders } from './changes.ts'

interface CollectionOptions<Params extends object, Row extends StoredRow, Resource> {
  readonly tag: string
  /** Such as `/posts`. */
  readonly path: string
  readonly params?: ZodType<Params, object>
  readonly resource: ZodType<Resource>
  readonly show: (row: Row) => Resource
}

export interface ListOptions<
  Params extends object,
  Row extends StoredRow,
  Resource,
> extends CollectionOptions<Params, Row, Resource> {
  /** The plural noun, such as `posts`. */
  readonly plural: string
  readonly query: ListQueryDefinition
  readonly list: (params: Params, query: ListQuery) => Promise<Page<Row>>
}

/** Creates the GET route of a collection. */
export function listRoute<Params extends object, Row extends StoredRow, Resource extends object>(
  options: ListOptions<Params, Row, Resource>,
): RouteBinding<RequestContext> {
  const { plural, show, params } = options
  return route.get(
    options.path,
    {
      operationId: `list${plural.split(' ').map(capitalized).join('')}`,
      summary: `List ${plural}`,
      description: 'Every logged-in user may do this. The newest come first unless `sort` says otherwise.',
      tags: [options.tag],
      access: 'authenticated',
      ...(params && { params }),
      query: options.query,
      responses: { 200: { description: `A page of ${plural}`, list: options.resource } },
      // For the concurrency limit of searches.
      errors: params === undefined ? ['OVERLOADED'] : ['NOT_FOUND', 'OVERLOADED'],
      etag: true,
    },
    withParts(async ({ params, query }: Parts<Params, ListQuery>, context: RequestContext) =>
      answerList(query, context, (list) => options.list(params, list), { map: show }),
    ),
  )
}

export interface CreateOptions<
  Params extends object,
  Body,
  Row extends StoredRow,
  Resource,
> extends CollectionOptions<Params, Row, Resource> {
  /** The noun, such as `post`. */
  readonly noun: string
  /** Sentences that say who may create the resource, and who owns it. */
  readonly description: string
  readonly body: ZodType<Body> & z.ZodObject
  readonly example: unknown
  /** @default 'authenticated', with an `Idempotency-Key` */
  readonly access?: 'public'
  /** @default none */
  readonly errors?: readonly string[]
  /** @default 'default' */
  readonly rateLimit?: string
  /** Finds other problems of a body that the schema rejects. @default no problems */
  readonly review?: Review<Params>
  readonly create: (
    params: Params,
    body: Body,
    context: RequestContext,
    /** Runs in the transaction that inserts the row. */
    together: InTransaction<Row> | undefined,
  ) => Promise<Row>
}

/** Creates the POST route of a collection. */
export function createRoute<Params extends object, Body, Row extends StoredRow, Resource>(
  options: CreateOptions<Params, Body, Row, Resource>,
): RouteBinding<RequestContext> {
  const { noun, show, params, access = 'authenticated' } = options
  const { review = () => Promise.resolve([]) } = options
  const binding = route.post(
    options.path,
    {
      operationId: `create${capitalized(noun)}`,
      summary: `Create a ${noun}`,
      description: options.description,
      tags: [options.tag],
      access,
      ...(params && { params }),
      body: options.body,
      bodyExample: options.example,
      responses: {
        201: {
          description: `The ${noun}`,
          data: options.resource,
          headers: { Location: `The address of the ${noun}` },
        },
      },
      errors: options.errors ?? [],
      etag: true,
      idempotencyKey: access === 'authenticated',
      ...(options.rateLimit !== undefined && { rateLimit: options.rateLimit }),
    },
    withParts(async ({ params, body }: Parts<Params, undefined, Body>, context: RequestContext) => {
      const getResult = (row: Row) => ({
        status: 201 as const,
        headers: creationHeaders(row, context),
        body: dataEnvelope(show(row)),
      })
      const { saveResult } = context
      let saved: ReturnType<typeof getResult> | undefined
      const together: InTransaction<Row> | undefined =
        saveResult &&
        ((row, transaction) => saveResult((saved = getResult(row)), kyselyIdempotencyStore(transaction)))
      const row = await options.create(params, body, context, together)
      return saved ?? getResult(row)
    }),
  )
  return withReview(binding, options.body, review)
}
