import type { CursorCodec } from './cursor.ts'
import type { Filter } from './filters.ts'
import type { InvalidInputOptions } from './invalid.ts'
import type { CursorPlace } from './keyset.ts'
import type { Predicate } from './predicate.ts'
import type { QueryBounds } from './query-string.ts'
import type { SortableField, SortKey } from './sort.ts'

/** Which kinds of pages a list can be read by. */
export type PaginationMode = 'offset' | 'cursor' | 'both'

/** The filters of a list by the name of their query parameter. */
export type Filters = Readonly<Record<string, Filter>>

export interface ListQueryOptions<
  Sort extends string = string,
  Field extends string = string,
  F extends Filters = Filters,
> extends QueryBounds {
  /** The fields that `sort` may name. */
  readonly sortable: readonly Sort[] | Readonly<Record<Sort, SortableField>>
  /**
   * The order without `sort`, in the parameter's own form, such as `-created_at`.
   *
   * @default the unique key, ascending
   */
  readonly defaultSort?: string | undefined
  /**
   * The unique, non-null key that every sort ends in, so that no two rows tie.
   *
   * @default 'id'
   */
  readonly id?: string
  /** Filters by parameter name. */
  readonly filterable?: F
  /** The fields that `search` looks into, for a case-insensitive substring. Without it there is no `search`. */
  readonly searchable?: string | readonly string[]
  /** The fields that `fields` may name. Without it there is no `fields`. */
  readonly fields?: readonly Field[]
  /** @default 'both' */
  readonly pagination?: PaginationMode
  /** @default 20 */
  readonly defaultLimit?: number
  /** @default 100 */
  readonly maxLimit?: number
  /**
   * The largest `page` × `limit`; beyond it the answer points to cursors, whose cost does not grow.
   *
   * @default 10_000_000
   */
  readonly maxOffset?: number
  /**
   * In characters (code points, as JSON Schema counts).
   *
   * @default 200
   */
  readonly maxSearchLength?: number
  /** How an invalid query is answered. */
  readonly invalid?: InvalidInputOptions
}

export interface OffsetPagination {
  readonly kind: 'offset'
  /** From 1. */
  readonly page: number
  readonly limit: number
  /** Rows to skip: (page − 1) × limit. */
  readonly offset: number
}

export interface CursorPagination {
  readonly kind: 'cursor'
  readonly limit: number
  /** Where the page lies; from `end` and `before` a row it is read backward. */
  readonly place: CursorPlace
  /** The rows that the page is taken from: those on its side of the place. */
  readonly ahead: Predicate
  /** What the page's cursors are bound to. */
  readonly binding: string
}

/** A parsed list query. */
export interface ListQuery<
  Sort extends string = string,
  Field extends string = string,
  Values extends object = object,
> {
  readonly pagination: OffsetPagination | CursorPagination
  /** Complete: it ends in the unique key. */
  readonly sort: readonly SortKey<Sort>[]
  /** The requested fields, in the order of the request; absent when all are wanted. */
  readonly fields?: readonly Field[]
  readonly search?: string
  /** The values of the filters that were given. */
  readonly filters: Values
  /** Filters and search as one condition, without the page's position. */
  readonly where: Predicate
}

export interface ParseListQueryOptions {
  /** Reads and later makes the cursors; needed unless the pagination is `offset`. */
  readonly cursors?: CursorCodec
  /**
   * What else cursors are bound to, such as the path of the list: the cursor of one is then refused by another.
   *
   * @default ''
   */
  readonly scope?: string
}

/** A query parameter as documents describe it. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  /** An OpenAPI 3.0 schema. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** The query parameters of a list, declared once. */
export interface ListQueryDefinition<
  Sort extends string = string,
  Field extends string = string,
  Values extends object = object,
> {
  readonly pagination: PaginationMode
  /** Every parameter of the list, for documents. */
  readonly parameters: readonly QueryParameter[]
  /**
   * Parses a query string (the text after `?`) or a `URLSearchParams`, strictly.
   *
   * @throws SallyportError `VALIDATION_ERROR` (400, or as `invalid` says) with every problem as a detail;
   * `URI_TOO_LONG` (414) and `BAD_REQUEST` (400) past the bounds
   * @throws TypeError without `cursors` when the list has cursor pages, whatever page is asked for
   */
  readonly parse: (
    input: string | URLSearchParams,
    options?: ParseListQueryOptions,
  ) => ListQuery<Sort, Field, Values>
}

/** The parsed query of a definition. */
export type ListQueryOf<Definition> =
  Definition extends ListQueryDefinition<infer Sort, infer Field, infer Values>
    ? ListQuery<Sort, Field, Values>
    : never

/** The values of filters that were given, by parameter. */
export type FilterValues<F extends Filters> = {
  readonly [Name in keyof F]?: F[Name] extends { read: (text: string) => infer R }
    ? Extract<R, { value: unknown }>['value']
    : never
}
