import type { Message, ProviderEvent } from '@sallyport/webhooks'
import type { z } from 'zod'

type DataSchemas = Readonly<Record<string, z.ZodType>>

/** What a person should read about the data of each kind. */
export type Messages<Events extends DataSchemas> = {
  readonly [Kind in keyof Events & string]: (data: z.output<Events[Kind]>) => Message
}

/**
 * The `notify` of a provider, from what is to be said of each kind. The data of a manual test is the tester's: it is
 * only believed when it is that of its kind, and the message says that it was a test.
 */
export function notifyWith<Events extends DataSchemas>(
  events: Events,
  messages: Messages<Events>,
): (event: ProviderEvent<Events>) => Message {
  return ({ name, data, source }) => {
    const kind = name.slice(name.indexOf('/') + 1)
    const checked = Object.hasOwn(events, kind) ? events[kind]?.safeParse(data) : undefined
    if (checked?.success !== true) return testMessage(name)
    const message = (messages[kind] as (data: unknown) => Message)(checked.data)
    return source.manual ? { ...message, title: `Test: ${message.title}` } : message
  }
}

/**
 * Text of others as a part of a message: one line without control or direction characters, cut to a length.
 *
 * @param maximum - in characters @default 120
 */
export function oneLine(text: string, maximum = 120): string {
  // Cut before cleaning too, so that a text of megabytes costs nothing.
  const line = text
    .slice(0, maximum * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join('')}…`
}

/** The lines that have something to say, as a text. */
export const lines = (...all: readonly string[]): string => all.filter((line) => line !== '').join('\n')

/** Words around a text of others; nothing without it. */
export function phrase(before: string, text: string | null, maximum?: number): string {
  const line = text === null ? '' : oneLine(text, maximum)
  return line === '' ? '' : `${before}${line}`
}

/** Links for a message, without those that are not HTTPS. */
export function webLinks(
  links: readonly { readonly label: string; readonly url: string | null }[],
): NonNullable<Message['links']> {
  return links.flatMap(({ label, url }) => {
    const parsed = url === null || url.length > 2000 ? null : URL.parse(url)
    return parsed?.protocol === 'https:' ? [{ label, url: parsed.href }] : []
  })
}

/** The message of a manual test whose data is not that of its kind. */
function testMessage(eventName: string): Message {
  return {
    title: `Test: ${oneLine(eventName)}`,
    text: 'A manual test delivery arrived. Its payload is not the data of this kind of event.',
    severity: 'info',
  }
}
