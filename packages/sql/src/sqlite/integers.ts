/**
 * Converts the bigints of rows to numbers, in place.
 *
 * @returns false for an integer outside the safe range, which would lose digits
 */
export function narrow(rows: unknown[]): boolean {
  for (const row of rows as Record<string, unknown>[]) {
    for (const column in row) {
      const value = row[column]
      if (typeof value !== 'bigint') continue
      const number = Number(value)
      if (!Number.isSafeInteger(number)) return false
      row[column] = number
    }
  }
  return true
}

export const tooLarge = (): RangeError =>
  new RangeError('An integer is too large for a number; cast it to text')
