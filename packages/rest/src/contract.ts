import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { RouteMethod, RouteQuery, RouteResponses, TextSchemas } from './route.ts'

declare const contract: unique symbol
declare const contracts: unique symbol

/** The types of a route that a client needs. They exist only in the compiler. */
export interface Contract {
  readonly method: RouteMethod
  readonly path: string
  readonly params: StandardSchemaV1 | undefined
  readonly query: RouteQuery | undefined
  readonly headers: TextSchemas | undefined
  readonly body: StandardSchemaV1 | undefined
  readonly answer: Answer
  readonly errors: string
}

/** The answer of a route: a resource, a page of items, or responses by status. */
interface Answer {
  readonly data?: StandardSchemaV1 | undefined
  readonly item?: StandardSchemaV1 | undefined
  readonly responses?: RouteResponses | undefined
}

/** A value of a route with a contract. */
export interface Contracted<C extends Contract> {
  readonly [contract]?: C
}

/** A value of an API with the contracts of its routes. */
export interface WithContracts<C> {
  readonly [contracts]?: C
}

/** The contracts of bound routes, as a union. */
export type ContractsOf<Binding> = Binding extends Contracted<infer C> ? C : never

/** The contracts of the routes of an API with a method, by path. */
export type Contracts<Api, Method extends RouteMethod> =
  Api extends WithContracts<infer C>
    ? {
        readonly [
          One in C as One extends { readonly method: Method; readonly path: infer Path extends string }
            ? Path
            : never
        ]: One
      }
    : never
