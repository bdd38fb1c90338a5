import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What of a type comes back from JSON as it was; `never` is what does not. */
type Kept<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends NotKept
      ? never
      : // Not as a mapped type, which would not end for lists that hold themselves, such as `z.json()`.
        T extends readonly unknown[]
        ? readonly Kept<T[number]>[]
        : { [Key in keyof T]: Kept<T[Key]> }

type NotKept =
  | bigint
  | symbol
  | ((...parameters: never[]) => unknown)
  | { toJSON(): unknown }
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>

/** An inbox keeps data as JSON: retries would get other data than the first attempt. */
type NoJson = 'Data of events are JSON: declare texts for dates, arrays for sets, and objects for maps'

/**
 * Event schemas whose data JSON gives back as they were: a function of yours that is generic over the `Events` of a provider
 * takes `Events & JsonEvents<Events>`, and calls `defineProvider<Events>`.
 */
export type JsonEvents<Events extends Readonly<Record<string, StandardSchemaV1>>> = {
  readonly [Kind in keyof Events]: StandardSchemaV1.InferOutput<Events[Kind]> extends Kept<
    StandardSchemaV1.InferOutput<Events[Kind]>
  >
    ? unknown
    : NoJson
}
