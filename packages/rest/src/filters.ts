import type { ValidationCode } from './issue-details.ts'
import { integerOption } from './options.ts'
import type { ComparisonOperator, Predicate } from './predicate.ts'
import type { Scalar } from './scalar.ts'

/** The value that a filter parsed from a parameter, or the problem with its text. */
export type FilterResult<Value> =
  | { readonly value: Value }
  | {
      /** The message for the client. */
      readonly problem: string
      /** The code of the problem. @default 'INVALID' */
      readonly code?: ValidationCode | (string & {})
    }

/** A query parameter that filters a list. */
export interface ListFilter<Value extends Scalar = Scalar> {
  /** Parses the text of the parameter; never throws on input. */
  readonly read: (text: string) => FilterResult<Value>
  /**
   * Builds the condition for a value. `parameter` is the name that the filter is declared under.
   *
   * Declared as a method because method bivariance lets filters of different value types share one type.
   */
  predicate(value: Value, parameter: string): Predicate
  /** The parameter's JSON Schema (draft 2020-12). */
  readonly schema: Readonly<Record<string, unknown>>
  readonly description?: string
}

export interface ListFilterOptions {
  /** @default the parameter's name */
  readonly field?: string
  readonly description?: string
}

/**
 * A filter that accepts one of a list of values.
 *
 * @example
 * ```ts
 * import { listFilter } from '@sallyport/rest'
 *
 * const status = listFilter.oneOf(['active', 'suspended'])
 * ```
 */
export function oneOfFilter<const Value extends string>(
  values: readonly Value[],
  options: ListFilterOptions = {},
): ListFilter<Value> {
  if (values.length === 0) throw new TypeError('oneOfFilter needs at least one value')
  const problem = `Must be one of: ${values.join(', ')}`
  return comparison('eq', options, { type: 'string', enum: [...values] }, (text) => {
    const value = values.find((candidate) => candidate === text)
    return value === undefined ? { problem, code: 'NOT_ONE_OF' } : { value }
  })
}

/** A filter that accepts non-empty text and compares it exactly. */
export function textFilter({
  maxLength = 200,
  ...options
}: ListFilterOptions & {
  /** In code points, as JSON Schema counts. @default 200 */
  readonly maxLength?: number
} = {}): ListFilter<string> {
  integerOption('maxLength', maxLength, 1)
  return comparison('eq', options, { type: 'string', minLength: 1, maxLength }, (value) =>
    value !== '' && Array.from(value).length <= maxLength
      ? { value }
      : {
          problem: `Must be 1 to ${maxLength} characters`,
          code: value === '' ? 'TOO_SHORT' : 'TOO_LONG',
        },
  )
}

/**
 * A filter that accepts an integer in decimal digits with an optional minus sign.
 *
 * Set the bounds of the column: PostgreSQL fails on a number outside the range of `integer`, ±2,147,483,647.
 *
 * @example
 * ```ts
 * import { listFilter } from '@sallyport/rest'
 *
 * const score = listFilter.integer({ minimum: 0, maximum: 2_147_483_647 })
 * ```
 */
export function integerFilter({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
  op = 'eq',
  ...options
}: ListFilterOptions & {
  /** @default Number.MIN_SAFE_INTEGER */
  readonly minimum?: number
  /** @default Number.MAX_SAFE_INTEGER */
  readonly maximum?: number
  /** @default 'eq' */
  readonly op?: ComparisonOperator
} = {}): ListFilter<number> {
  integerOption('minimum', minimum, Number.MIN_SAFE_INTEGER)
  integerOption('maximum', maximum, minimum)
  return comparison(op, options, { type: 'integer', minimum, maximum }, (text) => {
    const value = /^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= minimum && value <= maximum) return { value }
    const code = Number.isNaN(value) ? 'WRONG_TYPE' : value < minimum ? 'TOO_SMALL' : 'TOO_LARGE'
    return { problem: `Must be an integer from ${minimum} to ${maximum}`, code }
  })
}

/** A filter that accepts `true` or `false`. SQLite has no booleans: see `toParameter` of the kysely entry. */
export function booleanFilter(options: ListFilterOptions = {}): ListFilter<boolean> {
  return comparison('eq', options, { type: 'boolean' }, (text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { problem: 'Must be true or false', code: 'WRONG_TYPE' },
  )
}

/** A filter that compares the parsed value with one field. */
export function comparison<Value extends Scalar>(
  op: ComparisonOperator,
  { field, description }: ListFilterOptions,
  schema: Readonly<Record<string, unknown>>,
  read: (text: string) => FilterResult<Value>,
): ListFilter<Value> {
  return {
    read,
    predicate: (value, parameter) => ({ op, field: field ?? parameter, value }),
    schema,
    ...(description !== undefined && { description }),
  }
}
