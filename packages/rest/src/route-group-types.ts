import type { ErrorCode } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { LoadList } from './answer-list.ts'
import type { Exact, Immutable } from './exact.ts'
import type { JsonBody, TextHeaders, TextParams, TextQuery } from './input-types.ts'
import type { ListQueryDefinition } from './list-query.ts'
import type { Contracted } from './contract.ts'
import type { RouteBinding } from './route-binding.ts'
import type {
  ParamsSchema,
  Route,
  RouteAccess,
  RouteMethod,
  RouteQuery,
  RouteRequest,
  RouteResponses,
  RouteResult,
  TextSchemas,
} from './route.ts'

/** Functions that define routes and bind their handlers. `Open` is the context of public routes. */
export interface RouteGroup<Context, Open> {
  readonly list: DefineList<Context, Open>
  readonly get: DefineRoute<'GET', Context, Open>
  readonly post: DefineRoute<'POST', Context, Open>
  readonly put: DefineRoute<'PUT', Context, Open>
  readonly patch: DefineRoute<'PATCH', Context, Open>
  readonly delete: DefineRoute<'DELETE', Context, Open>
}

/**
 * Defines a route and binds its handler.
 *
 * A result with an undeclared status, body or field does not compile. The check is limited to types:
 * - If results differ between `return`s or the sides of a `? :`, TypeScript may keep only the type with fewer fields.
 * - `private` fields are not part of a type, and a value may hold more fields than its type.
 *
 * Use `Schema.parse(row)` for a row with secrets. An instance of a class with getters also needs it: the check rejects
 * getters, although JSON does not write them.
 */
type DefineRoute<Method extends RouteMethod, Context, Open> = <
  const Path extends string,
  const Result extends Returned<Data, Query, Responses> | Immutable<Returned<Data, Query, Responses>>,
  Params extends ParamsSchema<Path> | undefined = undefined,
  Query extends RouteQuery | undefined = undefined,
  Body extends StandardSchemaV1 | undefined = undefined,
  Data extends StandardSchemaV1 | undefined = undefined,
  const Responses extends RouteResponses | undefined = undefined,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
  const Access extends RouteAccess | undefined = undefined,
  const Errors extends string = never,
>(
  path: Path,
  route: Declared<Params, Headers, Cookies, Access, Errors> & {
    readonly query?: Query
    readonly body?: Body
  } & TextQuery<Query> &
    JsonBody<Body> &
    (Resource<Data> | FullResponses<Responses>),
  handler: ((
    request: RouteRequest<RequestParts<Path, Params, Query, Body, Headers, Cookies>>,
    context: ContextOf<Access, Context, Open>,
  ) => Result | Promise<Result>) &
    ExactHandler<Result, Exact<Result, Returned<Data, Query, Responses>>>,
) => RouteBinding<Open> &
  Contracted<{
    readonly method: Method
    readonly path: Path
    readonly params: Params
    readonly query: Query
    readonly headers: Headers
    readonly body: Body
    readonly answer: { readonly data: Data; readonly responses: Responses }
    readonly errors: Errors
  }>

/** Defines a GET route and binds the handler, which returns rows or a function that loads rows, as for `answerList`. */
type DefineList<Context, Open> = <
  const Path extends string,
  Row extends object,
  Item extends StandardSchemaV1<unknown, object>,
  Query extends ListQueryDefinition,
  Params extends ParamsSchema<Path> | undefined = undefined,
  Headers extends TextSchemas | undefined = undefined,
  Cookies extends TextSchemas | undefined = undefined,
  const Access extends RouteAccess | undefined = undefined,
  const Errors extends string = never,
>(
  path: Path,
  route: Declared<Params, Headers, Cookies, Access, Errors> & {
    readonly query: Query
    /** The schema of an item. */
    readonly item: Item
  },
  handler: ((
    request: RouteRequest<RequestParts<Path, Params, Query, undefined, Headers, Cookies>>,
    context: ContextOf<Access, Context, Open>,
  ) => Rows<Row> | Promise<Rows<Row>>) &
    ExactHandler<Row, Exact<Row, StandardSchemaV1.InferOutput<Item>>>,
) => RouteBinding<Open> &
  Contracted<{
    readonly method: 'GET'
    readonly path: Path
    readonly params: Params
    readonly query: Query
    readonly headers: Headers
    readonly body: undefined
    readonly answer: { readonly item: Item }
    readonly errors: Errors
  }>

export type Rows<Row> = readonly Row[] | LoadList<Row>

type Declared<
  Params extends StandardSchemaV1 | undefined,
  Headers extends TextSchemas | undefined,
  Cookies extends TextSchemas | undefined,
  Access,
  Errors extends string,
> = Omit<
  Route,
  'method' | 'path' | 'access' | 'errors' | 'responses' | 'params' | 'query' | 'headers' | 'cookies' | 'body'
> & {
  /** @default the access of the group */
  readonly access?: Access
  /** Error codes of the route in addition to those that follow from the declaration. */
  readonly errors?: readonly (ErrorCode | Errors)[]
  readonly params?: Params
  readonly headers?: Headers
  readonly cookies?: Cookies
} & TextParams<Params> &
  TextHeaders<Headers, Cookies>

/** One response: the handler returns the resource. */
interface Resource<Data> {
  /** The schema of the resource. @default the response has no body */
  readonly data?: Data
  /** The status of the response. @default 201 for a POST, 204 without `data`, otherwise 200 */
  readonly status?: number
  readonly responses?: undefined
}

/** Any responses: the handler returns status, headers and body. */
interface FullResponses<Responses> {
  /** Success responses by status. */
  readonly responses: Responses
  readonly data?: undefined
  readonly status?: undefined
}

/**
 * `responses` decides between both forms, because a resource could have a field `status`. The test for `undefined` lets code
 * that is generic over schemas compile.
 */
type Returned<Data, Query, Responses extends RouteResponses | undefined> = [Responses] extends [undefined]
  ? Data extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<Data>
    : // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a handler without a return statement returns void
      void
  : RouteResult<{ readonly query: Query; readonly responses: NonNullable<Responses> }>

interface RequestParts<Path, Params, Query, Body, Headers, Cookies> {
  readonly path: Path
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly headers: Headers
  readonly cookies: Cookies
}

/** The context of a route whose access may be public has no certain caller. */
type ContextOf<Access, Context, Open> = 'public' extends Access ? Open : Context

/** `unknown` if the handler's results have no undeclared fields; otherwise a handler type that does not fit. */
type ExactHandler<Result, Allowed> = [Result] extends [Allowed]
  ? unknown
  : (...parameters: never[]) => Allowed | Promise<Allowed>
