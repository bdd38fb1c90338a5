import type { Comparison } from './compare-pages.ts'

/** Writes the text of the issue; undefined when no page changed or disappeared. */
export function writeReport(
  { changed, gone, unreadable }: Pick<Comparison, 'changed' | 'gone' | 'unreadable'>,
  pages: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (changed.length + gone.length === 0) return undefined
  const section = (title: string, list: readonly string[]) =>
    list.length === 0
      ? ''
      : `## ${title}\n\n${list.map((page) => `- [ ] <${page}>: ${formatNames(pages.get(page))}\n`).join('')}\n`
  return `These pages have another text than at the last comparison. Compare each declaration with its page, and set its \`checked\`.

${section('Changed', changed)}${section('Gone', gone)}${unreadable.length} other pages could not be compared.
`
}

const formatNames = (names: readonly string[] = []): string => names.map((name) => `\`${name}\``).join(', ')
