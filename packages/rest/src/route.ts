import type { ErrorCode } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ResponseBody } from './api/api-request.ts'
import type { Deprecation } from './api/deprecation.ts'
import type { CursorEnvelope, DataEnvelope, ListForm, OffsetBody } from './envelope.ts'
import type { EventStreamBody } from './event-stream/event-stream-body.ts'
import type { ListQuery, ListQueryDefinition } from './list-query.ts'
import type { PathParameters } from './route-path.ts'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The callers that a route accepts: anyone, any valid token, or a token with one of the roles. */
export type RouteAccess = 'public' | 'authenticated' | { readonly roles: readonly string[] }

/**
 * A success response of a route. At most one of `data`, `list`, `body`, `events`, `lines` and `mediaType`; without them the body
 * is empty.
 */
export interface ResponseDeclaration {
  /** @default 'Success' */
  readonly description?: string
  /** The schema of the resource, or array of resources, in `{ data }`. */
  readonly data?: StandardSchemaV1
  /** The schema of one item of a paginated list. The list query of the route decides the envelope. */
  readonly list?: StandardSchemaV1
  /** The form of an offset-paginated list. @default 'full' */
  readonly form?: ListForm
  /** The schema of a body without an envelope. */
  readonly body?: StandardSchemaV1
  /** The schema of the data of one event of a stream (`text/event-stream`). The handler returns `answerEventStream`. */
  readonly events?: StandardSchemaV1
  /** The schema of one line of a stream of JSON lines (`application/jsonl`). The handler returns `answerEventStream`. */
  readonly lines?: StandardSchemaV1
  /**
   * The media type of a body that is not JSON, such as `text/csv; charset=utf-8`; `*` if the handler sets
   * `Content-Type`. The handler returns text, bytes or a stream of bytes.
   */
  readonly mediaType?: string
  /** Headers by name. */
  readonly headers?: Readonly<Record<string, ResponseHeader>>
  /** An example of the whole body. */
  readonly example?: unknown
}

/** The description of a header that every response has, or with `required: false`, that some responses have. */
type ResponseHeader = string | { readonly description: string; readonly required: boolean }

export type RouteResponses = Readonly<Record<number, ResponseDeclaration>>

/** A schema whose input has all parameters of the path. Its output may have any type. */
export type ParamsSchema<Path extends string> = StandardSchemaV1<
  Readonly<Record<PathParameters<Path>, unknown>>,
  unknown
>

/** Schemas of headers or cookies by name. The input of each is text, or undefined for a missing one. */
export type TextSchemas = Readonly<Record<string, StandardSchemaV1>>

/** A list query, or a schema for the query parameters: text, numbers, Booleans, and arrays of these. */
export type RouteQuery = ListQueryDefinition | StandardSchemaV1<Readonly<Record<string, unknown>>, unknown>

/** A route, declared once as data. */
export interface Route<
  Path extends string = string,
  Params extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
  Query extends RouteQuery | undefined = RouteQuery | undefined,
  Body extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
  Responses extends RouteResponses = RouteResponses,
  Headers extends TextSchemas | undefined = TextSchemas | undefined,
  Cookies extends TextSchemas | undefined = TextSchemas | undefined,
> {
  readonly method: RouteMethod
  /** A template such as `/users/{id}` or `/users/{id}:block`, without the version prefix. */
  readonly path: Path
  /** A name that is unique in the API, such as `getUser`. */
  readonly operationId: string
  /** @default the words of `operationId`: `Get book` for `getBook` */
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /**
   * Whether the route is deprecated in the documents. With dates, its responses also have the headers `Deprecation`,
   * `Sunset` and `Link`.
   *
   * @default false
   */
  readonly deprecated?: boolean | Deprecation
  readonly access: RouteAccess
  /** Validates the path parameters. Without it they are any text. */
  readonly params?: Params
  /**
   * Validates the query. Without it the query is ignored. A route with a list query, or a schema that lists its names as zod
   * does, refuses other parameters.
   */
  readonly query?: Query
  /** Validates headers by name, in any case. A repeated header is text joined with commas. */
  readonly headers?: Headers
  /** Validates cookies by name. */
  readonly cookies?: Cookies
  /** Validates the JSON body. */
  readonly body?: Body
  /**
   * Whether a request needs a body. When `false`, a request without a body counts as `{}`.
   *
   * @default true
   */
  readonly bodyRequired?: boolean
  /** An example of the body. */
  readonly bodyExample?: unknown
  /** Success responses by status. */
  readonly responses: Responses
  /** Links from the success responses to operations that can follow them, by name, in the documents. */
  readonly links?: Readonly<Record<string, ResponseLink>>
  /** Error codes of the route in addition to those that follow from the declaration. */
  readonly errors?: readonly (ErrorCode | (string & {}))[]
  /**
   * Whether responses carry an `ETag`. `If-Match` and `If-None-Match` are then honored, except by a POST that
   * creates a resource.
   *
   * @default false
   */
  readonly etag?: boolean
  /**
   * Whether the route honors `Idempotency-Key`; POST only.
   *
   * @default false
   */
  readonly idempotencyKey?: boolean
  /**
   * The name of the server's rate limit that requests count against; `false` for none.
   *
   * @default 'default'
   */
  readonly rateLimit?: string | false
  /** Offers the route to assistants, by `createMcpRoute` of `@sallyport/rest/mcp`. @default no tool */
  readonly tool?: RouteTool
}

/** A link to an operation: https://spec.openapis.org/oas/v3.1.1#link-object */
export interface ResponseLink {
  readonly operationId: string
  /** Parameters of the operation by name: constants, or expressions such as `$response.body#/data/id`. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** How assistants see a route as a tool. */
interface RouteTool {
  /** Whether a call changes nothing. @default true for GET */
  readonly readOnly?: boolean
  /**
   * Whether the responses hold nothing that strangers wrote, such as received bodies, headers or names. Other results are
   * marked as untrusted.
   *
   * @default false
   */
  readonly trusted?: boolean
}

/** Any route. */
export type AnyRoute = Route

/** The request that a route's handler receives, validated and typed by the declaration. */
export interface RouteRequest<R extends Pick<AnyRoute, 'path'>> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly headers: TextsOf<R extends { readonly headers: infer S } ? S : undefined>
  readonly cookies: TextsOf<R extends { readonly cookies: infer S } ? S : undefined>
  readonly body: R extends { readonly body: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<S>
    : undefined
}

type ParamsOf<R extends Pick<AnyRoute, 'path'>> = R extends {
  readonly params: infer S extends StandardSchemaV1
}
  ? StandardSchemaV1.InferOutput<S>
  : Readonly<Record<PathParameters<R['path']>, string>>

type TextsOf<Schemas> = Schemas extends TextSchemas
  ? { readonly [Name in keyof Schemas]: StandardSchemaV1.InferOutput<Schemas[Name]> }
  : undefined

type QueryOf<R> = R extends {
  readonly query: ListQueryDefinition<infer Sort, infer Field, infer Values>
}
  ? ListQuery<Sort, Field, Values>
  : R extends { readonly query: infer S extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<S>
    : undefined

/** The headers of a result by name. Several cookies are an array in `Set-Cookie`. */
export type ResultHeaders = Readonly<Record<string, string | readonly string[]>>

/** The result of a route's handler: a declared status with its declared body. */
export type RouteResult<R extends Pick<AnyRoute, 'responses'>> = {
  readonly [Status in keyof R['responses'] & number]: {
    readonly status: Status
    readonly headers?: ResultHeaders
  } & BodyPart<R, R['responses'][Status]>
}[keyof R['responses'] & number]

type BodyPart<R, D> = D extends { readonly data: infer S extends StandardSchemaV1 }
  ? { readonly body: DataEnvelope<StandardSchemaV1.InferOutput<S>> }
  : D extends { readonly list: infer S extends StandardSchemaV1 }
    ? { readonly body: ListBodies<Item<R, StandardSchemaV1.InferOutput<S>>, D> }
    : D extends { readonly body: infer S extends StandardSchemaV1 }
      ? { readonly body: StandardSchemaV1.InferOutput<S> }
      : D extends
            | { readonly events: infer S extends StandardSchemaV1 }
            | { readonly lines: infer S extends StandardSchemaV1 }
        ? { readonly body: EventStreamBody<StandardSchemaV1.InferOutput<S>> }
        : D extends { readonly mediaType: string }
          ? { readonly body: ResponseBody }
          : { readonly body?: undefined }

/** If `fields` can omit fields, an item is a partial resource. */
type Item<R, T> = R extends {
  readonly query: ListQueryDefinition<string, infer Field>
}
  ? [Field] extends [never]
    ? T
    : Partial<T>
  : T

/** The bodies of a paginated list. */
export type ListBodies<T, D> =
  CursorEnvelope<T> | OffsetBody<T, D extends { readonly form: infer Form extends ListForm } ? Form : 'full'>
