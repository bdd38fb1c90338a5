import type { Message } from '../ports/event.ts'
import type { Notifier } from '../ports/ports.ts'
import { createPost, type PostOptions } from './post.ts'

const emoji = { info: ':information_source:', warning: ':warning:', error: ':rotating_light:' } as const

// Limits of Slack in characters.
const headerLimit = 150
const textLimit = 3000

/**
 * Creates a notifier that posts each message to an incoming webhook of Slack, or of a compatible service such as
 * Mattermost: a header with the emoji of the severity, the text, and the links with the event's name.
 *
 * The URL is a secret. Text of a sender can contain neither mentions, such as `@channel`, nor links or images with a
 * custom label. Failures are those of {@link createHttpNotifier}.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 *
 * @example
 * ```ts
 * import { createSlackNotifier } from '@sallyport/webhooks/notifiers'
 *
 * declare const url: string // https://hooks.slack.com/services/…
 * export const notifier = createSlackNotifier({ url })
 * ```
 *
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export function createSlackNotifier(options: PostOptions): Notifier {
  const post = createPost(options)
  return {
    notify: (message, event, signal) =>
      post(JSON.stringify(createSlackBody(message, event.name)), {}, signal),
  }
}

/** Creates the body of a message; the name is in its last line. */
export function createSlackBody({ title, text, severity, links = [] }: Message, name: string): object {
  const prefix = `${emoji[severity]} `
  const heading = escapeText(joinLines(title) || name, headerLimit - prefix.length)
  const section = escapeText(text.trim(), textLimit)
  const context = [formatLinks(links, textLimit / 2), escapeText(name, textLimit / 2 - 3)]
    .filter((part) => part !== '')
    .join(' · ')
  return {
    // Shown in push notifications, and by services without blocks.
    text: disableMarkdown(
      [`${prefix}*${heading}*`, section, context].filter((line) => line !== '').join('\n'),
    ),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: `${prefix}${heading}`, emoji: true } },
      ...(section === '' ? [] : [{ type: 'section', text: markdown(section) }]),
      { type: 'context', elements: [markdown(context)] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

/** With `verbatim`, Slack does not turn text into mentions, channels and links. */
const markdown = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Escapes Slack's control characters and truncates the escaped text, never within a character or an entity.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
function escapeText(text: string, limit: number): string {
  let result = ''
  for (const character of text.slice(0, limit + 1).toWellFormed()) {
    const next = entities[character] ?? character
    if (result.length + next.length > limit) {
      const end = result.length < limit ? result : result.slice(0, limit - 1)
      return `${end.replace(/&[a-z]*$|[\uD800-\uDBFF]$/, '')}…`
    }
    result += next
  }
  return result
}

const joinLines = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Formats the http and https links for Slack, up to the limit. */
function formatLinks(links: NonNullable<Message['links']>, limit: number): string {
  let result = ''
  for (const { label, url } of links) {
    const address = URL.parse(url)
    if (address === null || !/^https?:$/.test(address.protocol)) continue
    // A vertical bar ends the address of a Slack link, and a URL can contain it unescaped.
    const target = escapeText(address.href.replaceAll('|', '%7C'), Infinity)
    const link = `<${target}|${escapeText(joinLines(label) || address.host, 100)}>`
    const longer = result === '' ? link : `${result} · ${link}`
    if (longer.length <= limit) result = longer
  }
  return result
}

/**
 * Disables the mentions and links of Markdown, for services such as Mattermost: inserts a zero-width space after `@` and
 * `]`. Mattermost converts Slack's links to Markdown, so their addresses must not contain parentheses.
 */
function disableMarkdown(text: string): string {
  return text.replace(/<[^|<]*\||[@\]]/g, (found) =>
    found.startsWith('<') ? found.replaceAll('(', '%28').replaceAll(')', '%29') : `${found}\u200b`,
  )
}
