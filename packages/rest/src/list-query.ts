import type { CursorCodec } from './cursor.ts'
import type { ListFilter } from './filters.ts'
import type { InvalidInputOptions } from './validate.ts'
import type { CursorAnchor } from './keyset.ts'
import type { Predicate } from './predicate.ts'
import type { QueryLimits } from './query-string.ts'
import type { SortableField, SortKey } from './sort.ts'

/** The kinds of pages that a list offers. */
export type PaginationMode = 'offset' | 'cursor' | 'both'

/** The filters of a list by parameter name. */
export type ListFilters = Readonly<Record<string, ListFilter>>

export interface ListQueryOptions<
  Sort extends string = string,
  Field extends string = string,
  F extends ListFilters = ListFilters,
> extends QueryLimits {
  /** The fields that `sort` accepts. */
  readonly sortable: readonly Sort[] | Readonly<Record<Sort, SortableField>>
  /**
   * The sort order of a request without `sort`, in the syntax of the parameter, such as `-created_at`.
   *
   * @default the unique key, ascending
   */
  readonly defaultSort?: string | undefined
  /**
   * The unique, non-null field that ends every sort order, so that no two rows tie.
   *
   * @default 'id'
   */
  readonly id?: string
  /** ListFilters by parameter name. */
  readonly filterable?: F
  /** The fields that `search` looks in for a case-insensitive substring. Without it the list has no `search`. */
  readonly searchable?: string | readonly string[]
  /** The fields that `fields` accepts. Without it the list has no `fields`. */
  readonly fields?: readonly Field[]
  /** @default 'both' */
  readonly pagination?: PaginationMode
  /** @default 20 */
  readonly defaultLimit?: number
  /** @default 100 */
  readonly maxLimit?: number
  /**
   * The largest `page` × `limit`. The error for a larger one recommends cursors, whose cost is constant.
   *
   * @default 10_000_000
   */
  readonly maxOffset?: number
  /**
   * In code points, as JSON Schema counts.
   *
   * @default 200
   */
  readonly maxSearchLength?: number
  /** The code and status for an invalid query. */
  readonly invalid?: InvalidInputOptions
}

export interface OffsetPagination {
  readonly kind: 'offset'
  /** The page number, starting at 1. */
  readonly page: number
  readonly limit: number
  /** The number of rows to skip: (page − 1) × limit. */
  readonly offset: number
}

export interface CursorPagination {
  readonly kind: 'cursor'
  readonly limit: number
  /** The anchor of the page. A page anchored at `end` or `before` a row is read backward. */
  readonly anchor: CursorAnchor
  /** The condition for the rows on the page's side of the anchor. */
  readonly ahead: Predicate
  /** The text that cursors of the page are bound to. */
  readonly binding: string
}

/** A parsed list query. */
export interface ListQuery<
  Sort extends string = string,
  Field extends string = string,
  Values extends object = object,
> {
  readonly pagination: OffsetPagination | CursorPagination
  /** The complete sort order, which ends in the unique key. */
  readonly sort: readonly SortKey<Sort>[]
  /** The requested fields in the order of the request; absent for all fields. */
  readonly fields?: readonly Field[]
  readonly search?: string
  /** The values of the given filters. */
  readonly filters: Values
  /** ListFilters and search as one condition, without the position of the page. */
  readonly where: Predicate
}

export interface ParseListQueryOptions {
  /** Decodes and encodes cursors. Required unless the pagination is `offset`. */
  readonly cursors?: CursorCodec
  /**
   * Additional text that cursors are bound to, such as the path of the list. Another list rejects the cursor.
   *
   * @default ''
   */
  readonly scope?: string
}

/** A query parameter for documentation. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  /** A JSON Schema (draft 2020-12). */
  readonly schema: Readonly<Record<string, unknown>>
}

/** The declared query parameters of a list. */
export interface ListQueryDefinition<
  Sort extends string = string,
  Field extends string = string,
  Values extends object = object,
> {
  readonly pagination: PaginationMode
  /** All parameters of the list, for documentation. */
  readonly parameters: readonly QueryParameter[]
  /**
   * Parses a query string (the text after `?`) or a `URLSearchParams` strictly.
   *
   * @throws SallyportError `VALIDATION_ERROR` (400, or as `invalid` sets) with every problem as a detail;
   * `URI_TOO_LONG` (414) and `BAD_REQUEST` (400) over the limits
   * @throws TypeError without `cursors` when the list has cursor pages, for any page
   */
  readonly parse: (
    input: string | URLSearchParams,
    options?: ParseListQueryOptions,
  ) => ListQuery<Sort, Field, Values>
}

/** The result type of parsing with a definition. */
export type ListQueryOf<Definition> =
  Definition extends ListQueryDefinition<infer Sort, infer Field, infer Values>
    ? ListQuery<Sort, Field, Values>
    : never

/** The values of the given filters by parameter name. */
export type ListFilterValues<F extends ListFilters> = {
  readonly [Name in keyof F]?: F[Name] extends { read: (text: string) => infer R }
    ? Extract<R, { value: unknown }>['value']
    : never
}
