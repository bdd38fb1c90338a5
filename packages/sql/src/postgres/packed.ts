import { sql, type RawBuilder } from 'kysely'

/** Values of several rows, concatenated in one parameter. */
export interface Packed {
  readonly bytes: Buffer
  /** The start of each value, counted from 1; null for no value. */
  readonly starts: readonly (number | null)[]
  readonly lengths: readonly (number | null)[]
}

/**
 * Concatenates long values: an array of texts travels with every quote escaped, and an array of bytes as hexadecimal
 * digits.
 */
export function pack(values: readonly (string | Uint8Array | null | undefined)[]): Packed {
  const lengths = values.map(getLength)
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

function getLength(value: string | Uint8Array | null | undefined): number | null {
  if (typeof value === 'string') return Buffer.byteLength(value, 'utf8')
  return value ? value.byteLength : null
}

/** Selects the bytes of a row. */
export const bytesFrom = (
  { bytes }: Packed,
  start: RawBuilder<unknown>,
  length: RawBuilder<unknown>,
): RawBuilder<Uint8Array> => sql`substring(${bytes}::bytea from ${start} for ${length})`

/** Selects the text of a row. */
export const textFrom = (...place: Parameters<typeof bytesFrom>): RawBuilder<string> =>
  sql`convert_from(${bytesFrom(...place)}, 'UTF8')`
