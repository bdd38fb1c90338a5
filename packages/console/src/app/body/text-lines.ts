/** A part of a text that is one line on the screen. */
export interface TextLine {
  readonly start: number
  readonly end: number
  /** The number of the line in the text; undefined for the continuation of a long line. */
  readonly number: number | undefined
}

/** Splits text into lines of at most `columns` characters. */
export function splitLines(text: string, columns: number): readonly TextLine[] {
  const lines: TextLine[] = []
  let number = 1
  let start = 0
  for (;;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    let from = start
    do {
      const to = Math.min(end, from + columns)
      lines.push({ start: from, end: to, number: from === start ? number : undefined })
      from = to
    } while (from < end)
    if (feed === -1) return lines
    start = feed + 1
    number += 1
  }
}

export const maxMatches = 1000

/** Finds the positions of a text without regard to case, up to a limit. */
export function findMatches(text: string, search: string): readonly number[] {
  if (search === '') return []
  const [inText, wanted] = [text.toLowerCase(), search.toLowerCase()]
  // Some characters change their length in lower case.
  const [where, what] = inText.length === text.length ? [inText, wanted] : [text, search]
  const matches: number[] = []
  for (
    let at = where.indexOf(what);
    at !== -1 && matches.length < maxMatches;
    at = where.indexOf(what, at + 1)
  )
    matches.push(at)
  return matches
}

/** Finds the line that holds a position. */
export function findLine(lines: readonly TextLine[], position: number): number {
  let [low, high] = [0, lines.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lines[middle]?.start ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
