/** Joins lists of the names of headers, each name once in any case. */
export function joinNames(lists: readonly (string | number | readonly string[])[]): string {
  const names = lists
    .flatMap((list) => String(list).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ')
}
