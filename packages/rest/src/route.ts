import type { ErrorCode } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { CursorEnvelope, DataEnvelope, ListForm, OffsetBody } from './envelope.ts'
import type { ListQuery, ListQueryDefinition } from './list-query.ts'
import type { PathParameters } from './route-path.ts'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call a route: anyone, any valid token, or a token with one of the roles. */
export type RouteAccess = 'public' | 'authenticated' | { readonly roles: readonly string[] }

/** A response that a route gives on success. At most one of `data`, `list` and `body`; none is an empty body. */
export interface ResponseDeclaration {
  readonly description: string
  /** The resource, or array of resources, inside `{ data }`. */
  readonly data?: StandardSchemaV1
  /** One item of a paginated list; the envelope follows from the route's list query. */
  readonly list?: StandardSchemaV1
  /** The form of an offset-paginated list. @default 'full' */
  readonly form?: ListForm
  /** A body that is not in an envelope. */
  readonly body?: StandardSchemaV1
  /** Header names and what they hold. */
  readonly headers?: Readonly<Record<string, string>>
  /** An example of the whole body. */
  readonly example?: unknown
}

export type RouteResponses = Readonly<Record<number, ResponseDeclaration>>

/** A schema whose input has the path's parameters, all of them; its output may be anything. */
export type ParamsSchema<Path extends string> = StandardSchemaV1<
  Readonly<Record<PathParameters<Path>, unknown>>,
  unknown
>

/** A list query, or a schema over the query's parameters as text. */
export type RouteQuery = ListQueryDefinition | StandardSchemaV1<Readonly<Record<string, unknown>>, unknown>

/** A route, declared once as data. */
export interface Route<
  Path extends string = string,
  Params extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
  Query extends RouteQuery | undefined = RouteQuery | undefined,
  Body extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
  Responses extends RouteResponses = RouteResponses,
> {
  readonly method: RouteMethod
  /** A template such as `/users/{id}`, without the version prefix. */
  readonly path: Path
  /** A name that is unique in the API, such as `getUser`. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
  readonly access: RouteAccess
  /** Validates the path's parameters; without it they are any text. */
  readonly params?: Params
  readonly query?: Query
  /** Validates the JSON body. */
  readonly body?: Body
  /**
   * Whether a request has to have a body; without one it counts as `{}`.
   *
   * @default true
   */
  readonly bodyRequired?: boolean
  /** An example of the body. */
  readonly bodyExample?: unknown
  /** Successful responses by status. */
  readonly responses: Responses
  /** Codes that the route answers with beside those that follow from the rest of the declaration. */
  readonly errors?: readonly (ErrorCode | (string & {}))[]
  /**
   * Whether responses carry an `ETag`: reading honours `If-None-Match`, changing `If-Match` too.
   *
   * @default false
   */
  readonly etag?: boolean
  /**
   * Whether `Idempotency-Key` is honoured; of POST only.
   *
   * @default false
   */
  readonly idempotencyKey?: boolean
  /**
   * The name of the rate limit that requests count against, one of those that the server keeps; `false` is none.
   *
   * @default 'default'
   */
  readonly rateLimit?: string | false
}

/** Any route. */
export type AnyRoute = Route

/** What a route's handler is given: every part validated and typed by the declaration. */
export interface RouteRequest<R extends AnyRoute> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: R extends { readonly body: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<S>
    : undefined
}

type ParamsOf<R extends AnyRoute> = R extends { readonly params: infer S extends StandardSchemaV1 }
  ? StandardSchemaV1.InferOutput<S>
  : Readonly<Record<PathParameters<R['path']>, string>>

type QueryOf<R extends AnyRoute> = R extends {
  readonly query: ListQueryDefinition<infer Sort, infer Field, infer Values>
}
  ? ListQuery<Sort, Field, Values>
  : R extends { readonly query: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<S>
    : undefined

/** What a route's handler answers with: one of the declared statuses, with the body that it declares. */
export type RouteResult<R extends AnyRoute> = {
  readonly [Status in keyof R['responses'] & number]: {
    readonly status: Status
    readonly headers?: Readonly<Record<string, string>>
  } & BodyPart<R, R['responses'][Status]>
}[keyof R['responses'] & number]

type BodyPart<R extends AnyRoute, D> = D extends { readonly data: infer S extends StandardSchemaV1 }
  ? { readonly body: DataEnvelope<StandardSchemaV1.InferOutput<S>> }
  : D extends { readonly list: infer S extends StandardSchemaV1 }
    ? { readonly body: ListBodies<Item<R, StandardSchemaV1.InferOutput<S>>, D> }
    : D extends { readonly body: infer S extends StandardSchemaV1 }
      ? { readonly body: StandardSchemaV1.InferOutput<S> }
      : { readonly body?: undefined }

/** Where `fields` may leave some out, an item is any part of the resource. */
type Item<R extends AnyRoute, T> = R extends {
  readonly query: ListQueryDefinition<string, infer Field>
}
  ? [Field] extends [never]
    ? T
    : Partial<T>
  : T

type ListBodies<T, D> =
  CursorEnvelope<T> | OffsetBody<T, D extends { readonly form: infer Form extends ListForm } ? Form : 'full'>
