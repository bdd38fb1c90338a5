import type { StandardSchemaV1 } from '@standard-schema/spec'

/**
 * The type that a value has after `JSON.stringify` and `JSON.parse`: texts for dates and for other values with `toJSON`,
 * `{}` for sets and maps, and null for an element that JSON cannot hold. Functions and symbols are omitted. A value with a
 * bigint has no JSON, so its type is `never`.
 *
 * @example
 * ```ts
 * import { createRunner, defineService, hmac, createMemoryInbox, type Json, type WithPayloads } from '@sallyport/webhooks'
 *
 * interface Ring {
 *   readonly door: string
 *   readonly at: Date
 * }
 * const doorbell = defineService({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   kind: 'type',
 * })
 *
 * const runner = createRunner<[WithPayloads<typeof doorbell, { ring: Json<Ring> }>]>({
 *   inbox: createMemoryInbox(),
 *   on: { 'doorbell/ring': ({ data }) => console.log(data.door, new Date(data.at)) },
 * })
 * ```
 */
export type Json<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Omitted
      ? undefined
      : T extends bigint
        ? never
        : T extends { toJSON(...parameters: never[]): infer Replacement }
          ? Json<Replacement>
          : T extends Collection
            ? Record<string, never>
            : T extends readonly unknown[]
              ? JsonArray<T>
              : {
                  [Key in keyof T as Key extends symbol ? never : T[Key] extends Omitted ? never : Key]: Json<
                    T[Key]
                  >
                }

// A mapped type over a list does not end for lists that hold themselves, such as `z.json()`.
type JsonArray<T extends readonly unknown[]> = number extends T['length']
  ? T extends unknown[]
    ? JsonItem<T[number]>[]
    : readonly JsonItem<T[number]>[]
  : { [Index in keyof T]: JsonItem<T[Index]> }

type JsonItem<T> = unknown extends T ? T : T extends Omitted | undefined ? null : Json<T>

type Omitted = symbol | ((...parameters: never[]) => unknown)

type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>

/** The part of a type that JSON preserves; other parts are `never`. */
type Preserved<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends NotKept
      ? never
      : T extends readonly unknown[]
        ? // Not an array, to which an intersection of arrays is not assignable.
          { readonly [index: number]: Preserved<T[number]> }
        : { [Key in keyof T]: Preserved<T[Key]> }

type NotKept = bigint | Omitted | { toJSON(...parameters: never[]): unknown } | Collection

/** The paths to the parts that JSON changes, such as `.items[].at`. */
type ChangedPath<T, Depth extends readonly unknown[] = [1, 1, 1, 1, 1, 1]> =
  T extends Preserved<T>
    ? never
    : T extends NotKept
      ? ''
      : Depth extends readonly [unknown, ...infer Deeper]
        ? T extends readonly unknown[]
          ? `[]${ChangedPath<T[number], Deeper>}`
          : {
              [
                Key in keyof T & string
              ]-?: `${string extends Key ? '[string]' : `.${Key}`}${ChangedPath<T[Key], Deeper>}`
            }[keyof T & string]
        : ''

/** An inbox stores JSON: a retry would get different data than the first attempt. */
type NoJson<Path extends string> =
  `JSON changes data${Path}: declare texts for dates, arrays for sets, and objects for maps`

/**
 * Event schemas with data that JSON preserves. A generic function over the `Events` of a provider takes
 * `Events & JsonEvents<Events>`, and calls `defineProvider<Events>`.
 */
export type JsonEvents<Events extends Readonly<Record<string, StandardSchemaV1>>> = {
  readonly [Kind in keyof Events]: StandardSchemaV1.InferOutput<Events[Kind]> extends Preserved<
    StandardSchemaV1.InferOutput<Events[Kind]>
  >
    ? unknown
    : NoJson<ChangedPath<StandardSchemaV1.InferOutput<Events[Kind]>>>
}
