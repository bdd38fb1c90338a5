/** The limit of counts. */
export const countUpTo = 10_000

/** An alert is sent again when its count has one digit more. */
export const toLevel = (count: number): number => Math.floor(Math.log10(Math.max(1, count)))

export function formatCount(count: number, one: string, many = `${one}s`, limit = countUpTo): string {
  if (count >= limit) return `${limit.toLocaleString('en-US')} or more ${many}`
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

const listed = 3

/** Lists the first texts, such as `a, b, c and 4 more`. */
export function formatList(texts: readonly string[]): string {
  const more = texts.length - listed
  return texts.slice(0, listed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
