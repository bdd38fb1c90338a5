import type { ErrorCode, ErrorDetail } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { RequestBody } from '../api/request-body.ts'
import type { Contract, Contracts } from '../contract.ts'
import type { CursorEnvelope, OffsetEnvelope } from '../envelope.ts'
import type { ListQueryDefinition } from '../list-query.ts'
import type { PathParameters } from '../route-path.ts'
import type { ListBodies, ResponseDeclaration, RouteResponses, TextSchemas } from '../route.ts'

/** The paths of the lists of an API. */
export type ListPathOf<Api> = {
  readonly [Path in keyof Contracts<Api, 'GET'>]: Contracts<Api, 'GET'>[Path] extends {
    readonly answer: { readonly item: StandardSchemaV1 }
  }
    ? Path
    : never
}[keyof Contracts<Api, 'GET'>]

/** The paths of the streams of an API. */
export type StreamPathOf<Api> = {
  readonly [Path in keyof Contracts<Api, 'GET'>]: [StreamDataOf<Contracts<Api, 'GET'>[Path]>] extends [never]
    ? never
    : Path
}[keyof Contracts<Api, 'GET'>]

// The input of a request

type Input<Schema> = Schema extends StandardSchemaV1 ? StandardSchemaV1.InferInput<Schema> : undefined

type TextParameters<Path> = Path extends string
  ? Readonly<Record<PathParameters<Path>, string | number>>
  : never

type ParamsInput<Route> = Route extends { readonly params: infer Schema; readonly path: infer Path }
  ? [Schema] extends [StandardSchemaV1]
    ? Input<Schema>
    : TextParameters<Path>
  : never

/** Text, or a value whose text the filter reads. */
type FilterInput<Value> = [Value] extends [number | boolean]
  ? Value
  : string extends Value
    ? string | number | boolean | Date
    : Value

/** The parameters of a list. */
type ListInput<Query> =
  Query extends ListQueryDefinition<infer Sort, infer Field, infer Values>
    ? {
        readonly page?: number
        readonly limit?: number
        readonly cursor?: string
        /** Names of fields, each with a leading `-` for descending, separated by commas. */
        readonly sort?: SortInput<Sort> | `${SortInput<Sort>},${string}`
        readonly search?: string
        /** The fields to read. The others are missing from the items, although their type has them. */
        readonly fields?: readonly Field[]
      } & { readonly [Name in keyof Values]?: FilterInput<Values[Name]> }
    : never

type SortInput<Sort extends string> = Sort | `-${Sort}`

type QueryInput<Query> = Query extends ListQueryDefinition ? ListInput<Query> : Input<Query>

/** A body that is not JSON. A blob has its media type; the header `Content-Type` has that of a stream. */
export type BodySource = Blob | FormData | ReadableStream<Uint8Array>

type BodyInput<Body> = Body extends RequestBody ? BodySource : Input<Body>

/** The headers that a request needs. */
type HeadersInput<Headers> = Headers extends TextSchemas
  ? {
      readonly [Name in keyof Headers as undefined extends Input<Headers[Name]> ? never : Name]: string
    }
  : undefined

/** The parts of a request; a part without required fields may be missing. */
type Parts<Route> = Route extends Contract
  ? Part<'params', ParamsInput<Route>> &
      Part<'query', QueryInput<Route['query']>> &
      Part<'headers', HeadersInput<Route['headers']>> &
      Part<'body', BodyInput<Route['body']>>
  : never

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }

/** The input of a request. */
type RequestInput<Route> = Parts<Route> & RequestOptions

/** Options of a request. */
export interface RequestOptions {
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** The `ETag` that the resource must still have, of an earlier response. */
  readonly ifMatch?: string
  /**
   * The idempotency key of a POST request. A POST with neither a key nor `ifMatch` is not sent again after a 503 or a network
   * error, because the server may have handled it.
   *
   * @default none
   */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** The arguments after the path: the input may be missing when no part is required. */
export type InputArguments<Route> =
  object extends Parts<Route> ? readonly [input?: RequestInput<Route>] : readonly [input: RequestInput<Route>]

// The result of a request

/** A value as its JSON is read: a date is text. */
type FromJson<Value> = Value extends string | number | boolean
  ? Value
  : Value extends { toJSON(): infer Json }
    ? Json
    : Value extends object
      ? { [Name in keyof Value]: FromJson<Value[Name]> }
      : Value

type Output<Schema> = Schema extends StandardSchemaV1
  ? FromJson<StandardSchemaV1.InferOutput<Schema>>
  : undefined

/** A page of a list. */
type Page<Item> = FromJson<OffsetEnvelope<Item> | CursorEnvelope<Item>>

type AnswerOf<Route> = Route extends Contract
  ? Route['answer']['item'] extends StandardSchemaV1
    ? { readonly status: 200; readonly data: Page<StandardSchemaV1.InferOutput<Route['answer']['item']>> }
    : Route['answer']['responses'] extends RouteResponses
      ? ResponsesOf<Route['answer']['responses']>
      : { readonly status: number; readonly data: Output<Route['answer']['data']> }
  : never

type ResponsesOf<Responses extends RouteResponses> = {
  readonly [Status in keyof Responses & number]: {
    readonly status: Status
    readonly data: BodyOf<Responses[Status]>
  }
}[keyof Responses & number]

type BodyOf<Declared extends ResponseDeclaration> = Declared extends { readonly data: infer Schema }
  ? Output<Schema>
  : Declared extends { readonly list: infer Schema extends StandardSchemaV1 }
    ? FromJson<ListBodies<StandardSchemaV1.InferOutput<Schema>, Declared>>
    : Declared extends { readonly body: infer Schema }
      ? Unwrapped<Output<Schema>>
      : Declared extends
            { readonly events: unknown } | { readonly lines: unknown } | { readonly mediaType: string }
        ? Response
        : undefined

/** A body whose only field is `data` is read as an envelope. */
type Unwrapped<Body> = Body extends { readonly data: infer Data }
  ? object extends Omit<Body, 'data'>
    ? Data | (keyof Body extends 'data' ? never : Body)
    : Body
  : Body

/** The item of a list. */
export type ItemOf<Route> = Route extends Contract ? Output<Route['answer']['item']> : never

/** The data of an event of a stream. */
export type StreamDataOf<Route> = Route extends {
  readonly answer: { readonly responses: { readonly 200: infer Declared } }
}
  ? Declared extends { readonly events: infer Schema } | { readonly lines: infer Schema }
    ? Output<Schema>
    : never
  : never

/** An event of a stream. */
export interface StreamEvent<Data> {
  readonly data: Data
  /** The id of the last event with one; undefined before it. Sent as the header `Last-Event-ID`, the stream continues after it. */
  readonly id: string | undefined
  /** The type of the event; `message` by default. */
  readonly event: string
}

/** A successful answer. */
type Success<Route> = AnswerOf<Route> & {
  readonly ok: true
  /** The `ETag` of the resource, for `ifMatch`; undefined without one. */
  readonly etag: string | undefined
  readonly headers: Headers
}

/** The codes of a client: no answer, and an answer that is not of the API. */
type ClientCode = 'NETWORK_ERROR' | 'UNREADABLE_RESPONSE'

/** A failed request, by its code. */
export type ClientFailure<Code extends string = string> = Code extends string
  ? {
      readonly ok: false
      readonly code: Code
      /** The status of the answer; 0 without an answer. */
      readonly status: number
      readonly message: string
      /** The problems of the input, for `VALIDATION_ERROR`. */
      readonly details: Code extends 'VALIDATION_ERROR'
        ? readonly ErrorDetail[]
        : string extends Code
          ? readonly ErrorDetail[] | undefined
          : undefined
      /** The milliseconds after which the server accepts the request. */
      readonly retryAfterMs: number | undefined
    }
  : never

/** The result of a request: `ok` decides between the answer and the failure. */
export type Result<Route> =
  Success<Route> | ClientFailure<ErrorCode | ClientCode | (Route extends Contract ? Route['errors'] : never)>
