import { integerOption } from './options.ts'
import type { ComparisonOperator, Predicate } from './predicate.ts'
import type { Scalar } from './scalar.ts'

/** A parameter's text read as a value, or what is wrong with it. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string }

/** A query parameter that narrows a list. */
export interface Filter<Value extends Scalar = Scalar> {
  /** Reads the parameter's text; never throws on input. */
  readonly read: (text: string) => Reading<Value>
  /**
   * The condition that a value stands for; `parameter` is the name that the filter was declared under.
   *
   * A method, not a property: filters of different values then share one type.
   */
  predicate(value: Value, parameter: string): Predicate
  /** The parameter's OpenAPI 3.0 schema. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly description?: string
}

export interface FilterOptions {
  /** @default the parameter's name */
  readonly field?: string
  readonly description?: string
}

/**
 * A filter that takes one of a few words.
 *
 * @example
 * ```ts
 * import { oneOfFilter } from '@sallyport/rest'
 *
 * const status = oneOfFilter(['active', 'suspended'])
 * ```
 */
export function oneOfFilter<const Value extends string>(
  values: readonly Value[],
  options: FilterOptions = {},
): Filter<Value> {
  if (values.length === 0) throw new TypeError('A filter of one of several values needs a value')
  const problem = `Must be one of: ${values.join(', ')}`
  return comparison('eq', options, { type: 'string', enum: [...values] }, (text) => {
    const value = values.find((candidate) => candidate === text)
    return value === undefined ? { problem } : { value }
  })
}

/** A filter that takes any text and compares it exactly; an empty one is refused. */
export function textFilter({
  maxLength = 200,
  ...options
}: FilterOptions & {
  /** In characters (code points, as JSON Schema counts). @default 200 */
  readonly maxLength?: number
} = {}): Filter<string> {
  integerOption('maxLength', maxLength, 1)
  return comparison('eq', options, { type: 'string', minLength: 1, maxLength }, (value) =>
    value !== '' && Array.from(value).length <= maxLength
      ? { value }
      : { problem: `Must have 1 to ${maxLength} characters` },
  )
}

/**
 * A filter that takes a whole number, in decimal digits with an optional minus.
 *
 * Give it the bounds of the column: PostgreSQL fails on a number that an `integer` cannot hold, past ±2,147,483,647.
 *
 * @example
 * ```ts
 * import { integerFilter } from '@sallyport/rest'
 *
 * const score = integerFilter({ minimum: 0, maximum: 2_147_483_647 })
 * ```
 */
export function integerFilter({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
  op = 'eq',
  ...options
}: FilterOptions & {
  /** @default Number.MIN_SAFE_INTEGER */
  readonly minimum?: number
  /** @default Number.MAX_SAFE_INTEGER */
  readonly maximum?: number
  /** @default 'eq' */
  readonly op?: ComparisonOperator
} = {}): Filter<number> {
  integerOption('minimum', minimum, Number.MIN_SAFE_INTEGER)
  integerOption('maximum', maximum, minimum)
  return comparison(op, options, { type: 'integer', minimum, maximum }, (text) => {
    const value = /^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum
      ? { value }
      : { problem: `Must be a whole number from ${minimum} to ${maximum}` }
  })
}

/** A filter that takes `true` or `false`, as a boolean. SQLite has none: see `toParameter` of the kysely entry. */
export function booleanFilter(options: FilterOptions = {}): Filter<boolean> {
  return comparison('eq', options, { type: 'boolean' }, (text) =>
    text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'Must be true or false' },
  )
}

/** A filter that compares what it reads with one field. */
export function comparison<Value extends Scalar>(
  op: ComparisonOperator,
  { field, description }: FilterOptions,
  schema: Readonly<Record<string, unknown>>,
  read: (text: string) => Reading<Value>,
): Filter<Value> {
  return {
    read,
    predicate: (value, parameter) => ({ op, field: field ?? parameter, value }),
    schema,
    ...(description !== undefined && { description }),
  }
}
