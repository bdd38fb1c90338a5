import type { Message } from '../ports/event.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Text without Slack's control characters, cut to a length that counts what escaping adds, never within a character or
 * an entity.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escaped(text: string, maximum: number): string {
  let result = ''
  // What is behind the limit cannot fit, and may be long.
  for (const character of text.slice(0, maximum + 1).toWellFormed()) {
    const next = entities[character] ?? character
    if (result.length + next.length > maximum) return `${cut(result, maximum - 1)}…`
    result += next
  }
  return result
}

/** Shortens escaped text that is too long by a character or so, at a place where nothing begins or ends. */
function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  return text.slice(0, maximum).replace(/&[a-z]*$|[\uD800-\uDBFF]$/, '')
}

export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** As many of the links as fit, in Slack's form; those that are no web addresses are left out. */
export function linked(links: NonNullable<Message['links']>, maximum: number): string {
  let result = ''
  for (const { label, url } of links) {
    const address = URL.parse(url)
    if (address === null || !/^https?:$/.test(address.protocol)) continue
    // A bar ends the address, and is the one control character that a URL may hold as it is.
    const target = escaped(address.href.replaceAll('|', '%7C'), Infinity)
    const link = `<${target}|${escaped(inOneLine(label) || address.host, 100)}>`
    const longer = result === '' ? link : `${result} · ${link}`
    if (longer.length <= maximum) result = longer
  }
  return result
}

/**
 * Text in Slack's form for services that also read Markdown and mentions without brackets, such as Mattermost: a space
 * without width, which nobody sees in Slack either, stands behind what mentions and links are made with. Mattermost makes
 * Markdown of Slack's links, whose addresses a bracket would end.
 */
export function defused(text: string): string {
  return text.replace(/<[^|]*\||[@\]]/g, (found) =>
    found.startsWith('<') ? found.replaceAll('(', '%28').replaceAll(')', '%29') : `${found}\u200b`,
  )
}
