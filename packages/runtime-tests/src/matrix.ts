import type { Outcome } from './report.ts'

/** A table in Markdown of what works where: a row for each area, a column for each runtime. */
export function matrixOf(outcomes: readonly Outcome[]): string {
  const areas = [...new Set(outcomes.flatMap(({ passed }) => [...passed.keys()]))]
  return [
    ['', ...outcomes.map(({ runtime }) => runtime)],
    ['', ...outcomes].map(() => '-'),
    ...areas.map((area) => [
      `\`${area}\``,
      ...outcomes.map(({ passed }) => (passed.has(area) ? 'yes' : 'no')),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Whether a page has the table, however its columns are padded. */
export const shows = (page: string, matrix: string): boolean => plain(page).includes(plain(matrix))

const plain = (text: string): string =>
  text.replaceAll(/[ ]+/g, ' ').replaceAll(/-{2,}/g, '-').replaceAll('| |', '||')
