import type { StandardSchemaV1 } from '@standard-schema/spec'

/** The part of a type that JSON preserves; other parts are `never`. */
type Preserved<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends NotKept
      ? never
      : // Not as a mapped type, which would not end for lists that hold themselves, such as `z.json()`.
        T extends readonly unknown[]
        ? readonly Preserved<T[number]>[]
        : { [Key in keyof T]: Preserved<T[Key]> }

type NotKept =
  | bigint
  | symbol
  | ((...parameters: never[]) => unknown)
  | { toJSON(): unknown }
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>

/** An inbox stores JSON: a retry would get different data than the first attempt. */
type NoJson = 'Data of events are JSON: declare texts for dates, arrays for sets, and objects for maps'

/**
 * Event schemas with data that JSON preserves. A generic function over the `Events` of a provider takes
 * `Events & JsonEvents<Events>`, and calls `defineProvider<Events>`.
 */
export type JsonEvents<Events extends Readonly<Record<string, StandardSchemaV1>>> = {
  readonly [Kind in keyof Events]: StandardSchemaV1.InferOutput<Events[Kind]> extends Preserved<
    StandardSchemaV1.InferOutput<Events[Kind]>
  >
    ? unknown
    : NoJson
}
