import type { ApiContext, ListQuery, ListQueryDefinition, RouteAccess } from '@sallyport/rest'
import type { Kysely } from 'kysely'
import type { z, ZodType } from 'zod'
import type { RowPage } from '../rows/repository.ts'
import type { StoredRow } from '../rows/stored-row.ts'
import type { Review } from './review.ts'

/** The caller of an API with resources. */
export interface ResourceCaller {
  /** The id of the user. */
  readonly sub: string
  /** An `admin` may change the rows of all owners. */
  readonly role?: string | undefined
}

export type ResourceContext = ApiContext<ResourceCaller>

/** A collection of rows, as the REST API shows them: the columns of the schema. */
export interface CollectionOptions<Params extends object, Row extends StoredRow> {
  readonly tag: string
  /** The noun, such as `post`. */
  readonly noun: string
  /** Such as `/posts`. */
  readonly path: string
  readonly params?: ZodType<Params, object>
  readonly resource: z.ZodObject
  /** The mount path of the API in `Location`. @default that of the request */
  readonly mountPath?: string
  readonly query: ListQueryDefinition
  readonly list: (params: Params, query: ListQuery) => Promise<RowPage<Row>>
}

/** Stores the response to the creation of a row, in the transaction that inserts the row. */
export type StoreResponse<Row> = <Tables>(row: Row, transaction: Kysely<Tables>) => Promise<void>

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
    context: ResourceContext,
    together: StoreResponse<Row> | undefined,
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
  readonly change: (params: Params, changes: Changes, context: ResourceContext) => Promise<Row>
  readonly remove: (params: Params, context: ResourceContext) => Promise<void>
}
