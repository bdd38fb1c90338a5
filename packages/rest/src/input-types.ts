import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { RequestBody } from './api/request-body.ts'
import type { ListQueryDefinition } from './list-query.ts'
import type { TextInput } from './schema-filter.ts'

/**
 * Requires the parameters of a query to accept text, or a value that text is converted to. The indexed lookup lets code that
 * is generic over `Query` compile.
 */
export interface TextQuery<Query> {
  readonly query?: (Query extends ListQueryDefinition
    ? AnyInputs
    : Query extends StandardSchemaV1
      ? QueryInputs<StandardSchemaV1.InferInput<Query>>
      : AnyInputs)['query']
}

/** Requires the fields of a JSON body to have types that JSON has. */
export interface JsonBody<Body> {
  readonly body?: (Body extends RequestBody
    ? AnyInputs
    : Body extends StandardSchemaV1
      ? BodyInput<StandardSchemaV1.InferInput<Body>>
      : AnyInputs)['body']
}

interface AnyInputs {
  readonly query: unknown
  readonly body: unknown
}

type QueryInputs<Input> = Input extends { readonly [Name in keyof Input]: QueryInput<Input[Name]> }
  ? AnyInputs
  : { readonly query: StandardSchemaV1<{ [Name in keyof Input]: QueryInput<Input[Name]> }, unknown> }

type QueryScalar = string | number | boolean

/** `Input` if a member of it is text, converted from text, or `unknown`; otherwise the types that text is converted to. */
type QueryInput<Input> = [ReadableMember<Input>] extends [never]
  ? QueryScalar | readonly QueryScalar[]
  : Input
type ReadableMember<Input> = unknown extends Input
  ? true
  : Input extends QueryScalar
    ? true
    : Input extends readonly (infer Item)[]
      ? ReadableItem<Item>
      : never
type ReadableItem<Item> = unknown extends Item ? true : Item extends QueryScalar ? true : never

type BodyInput<Input> =
  Input extends JsonInput<Input> ? AnyInputs : { readonly body: StandardSchemaV1<JsonInput<Input>, unknown> }

type Foreign = Date | bigint | symbol | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Blob
type Plain = string | number | boolean | null | undefined

/** `Input`, or `never` in the place of a type that JSON does not have. A union needs one member that JSON has. */
type JsonInput<Input> = unknown extends Input
  ? Input
  : [Extract<Input, Foreign>] extends [never]
    ? JsonFields<Input>
    : [Exclude<Input, Foreign | null | undefined>] extends [never]
      ? never
      : Input
type JsonFields<Input> = Input extends Plain
  ? Input
  : Input extends readonly unknown[]
    ? readonly JsonInput<Input[number]>[]
    : { readonly [Name in keyof Input]: JsonInput<Input[Name]> }

/** Requires path parameters to accept text. The indexed lookup lets code that is generic over `Params` compile. */
export interface TextParams<Params> {
  readonly params?: (Params extends StandardSchemaV1
    ? TextInputs<StandardSchemaV1.InferInput<Params>>
    : AnyParams)['params']
}
interface AnyParams {
  readonly params: unknown
}
type TextInputs<Input> = Input extends { readonly [Name in keyof Input]: TextInput<Input[Name]> }
  ? AnyParams
  : { readonly params: StandardSchemaV1<{ [Name in keyof Input]: TextInput<Input[Name]> }, unknown> }

/** Requires headers and cookies to accept text. */
export interface TextHeaders<Headers, Cookies> {
  readonly headers?: AcceptText<Headers>
  readonly cookies?: AcceptText<Cookies>
}
type AcceptText<Schemas> = {
  readonly [Name in keyof Schemas]: Schemas[Name] extends StandardSchemaV1
    ? StandardSchemaV1<TextInput<StandardSchemaV1.InferInput<Schemas[Name]>>, unknown>
    : never
}
