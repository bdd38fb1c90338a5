/** A value that can be compared, sorted by and encoded in a cursor. */
export type Scalar = string | number | bigint | boolean | Date

/** A row with fields to sort and filter by. */
type Row = Readonly<Record<string, unknown>>

/**
 * Reads a scalar field of a row; `undefined` becomes `null`.
 *
 * @throws TypeError when the field holds another type, such as an object or a number that is not finite
 */
export function getScalar(row: object, field: string): Scalar | null {
  const value: unknown = Object.hasOwn(row, field) ? (row as Row)[field] : null
  if (value == null) return null
  if (isScalar(value)) return value
  throw new TypeError(`The field ${field} holds no string, finite number, bigint, boolean or valid Date`)
}

export function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean'
}

/**
 * Compares two scalars of the same kind: negative, zero or positive.
 *
 * Strings are compared by code point, like SQLite's BINARY and PostgreSQL's "C" collation. JavaScript's `<` compares
 * UTF-16 units and orders an emoji before U+FF5E.
 */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  const left = orderable(a)
  const right = orderable(b)
  if (typeof left === 'string' || typeof right === 'string') {
    throw new TypeError('A string has no order against a value of another kind')
  }
  return left < right ? -1 : left > right ? 1 : 0
}

function orderable(value: Scalar): string | number | bigint {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : value
}

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Orders surrogates, which encode code points above U+FFFF, after all other 16-bit units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
