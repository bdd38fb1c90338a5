import { sql, type RawBuilder } from 'kysely'

/** Values of many rows, end to end in one parameter. */
export interface Packed {
  readonly bytes: Buffer
  /** Where each begins, counted from 1; null for none. */
  readonly starts: readonly (number | null)[]
  readonly lengths: readonly (number | null)[]
}

/**
 * Packs what is long: an array of it would travel as text in which every quote is escaped, here and there, and an array
 * of bytes as twice as many digits.
 */
export function pack(values: readonly (string | Uint8Array | null | undefined)[]): Packed {
  const lengths = values.map(lengthOf)
  let end = 0
  const starts = lengths.map((length) => (length === null ? null : 1 + (end += length) - length))
  const bytes = Buffer.allocUnsafe(end)
  for (const [index, value] of values.entries()) {
    const start = (starts[index] ?? 1) - 1
    if (typeof value === 'string') bytes.write(value, start, 'utf8')
    else if (value) bytes.set(value, start)
  }
  return { bytes, starts, lengths }
}

function lengthOf(value: string | Uint8Array | null | undefined): number | null {
  if (typeof value === 'string') return Buffer.byteLength(value, 'utf8')
  return value ? value.byteLength : null
}

/** The bytes of a row. */
export const bytesFrom = (
  { bytes }: Packed,
  start: RawBuilder<unknown>,
  length: RawBuilder<unknown>,
): RawBuilder<Uint8Array> => sql`substring(${bytes}::bytea from ${start} for ${length})`

/** The text of a row. */
export const textFrom = (...place: Parameters<typeof bytesFrom>): RawBuilder<string> =>
  sql`convert_from(${bytesFrom(...place)}, 'UTF8')`
