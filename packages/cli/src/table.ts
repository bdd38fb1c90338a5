import Table from 'cli-table3'
import { printable } from './io.ts'

/** The narrowest width to which a column is cut. */
const narrowest = 8
const gap = 2

/** Removes a column without a value. */
export function omitEmpty(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly [head: readonly string[], rows: readonly (readonly string[])[]] {
  const column = head.indexOf(title)
  if (column < 0 || rows.some((row) => row[column] !== '-')) return [head, rows]
  return [head.toSpliced(column, 1), rows.map((row) => row.toSpliced(column, 1))]
}

/**
 * Formats rows as aligned columns. On a terminal, the widest columns are cut so that a row fits; the last column, which has
 * ids, is never cut.
 *
 * @param columns - the width of the terminal; undefined without a terminal
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): readonly string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => printable(cell, 200)))
  const widths = fit(
    head.map((_, column) => Math.max(1, ...cells.map((row) => row[column]?.length ?? 0))),
    (columns ?? Infinity) - gap * (head.length - 1),
  )
  const none = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
  ]
  const middle = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']
  const table = new Table({
    chars: {
      ...Object.fromEntries([...none, ...middle].map((name) => [name, ''])),
      middle: ' '.repeat(gap),
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: widths,
  })
  table.push(...cells)
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Reduces the widest columns until the sum fits. */
function fit(widths: readonly number[], available: number): number[] {
  const fitted = [...widths]
  const sum = () => fitted.reduce((total, width) => total + width, 0)
  while (sum() > available) {
    const widest = fitted.slice(0, -1).reduce((best, width, column) => {
      return width > (fitted[best] ?? 0) ? column : best
    }, 0)
    const width = fitted[widest] ?? 0
    if (fitted.length < 2 || width <= narrowest) break
    fitted[widest] = width - 1
  }
  return fitted
}
