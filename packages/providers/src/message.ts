import type { Message, ProviderEvent } from '@sallyport/webhooks'
import type * as z from 'zod'

type DataSchemas = Readonly<Record<string, z.ZodType>>

/** The notification for the data of each kind. */
export type Messages<Events extends DataSchemas> = {
  readonly [Kind in keyof Events & string]: (data: z.output<Events[Kind]>) => Message
}

/**
 * Creates the `notify` function of a provider. The data of a manual test is arbitrary: it is used only if it matches the
 * schema of its kind, and the title marks the test.
 */
export function createNotify<Events extends DataSchemas>(
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
 * Cleans untrusted text for a message: one line without control or bidirectional characters, with a maximum length.
 *
 * @param maximum - in characters @default 120
 */
export function oneLine(text: string, maximum = 120): string {
  // Cut first, so that a long text is cheap to clean.
  const line = text
    .slice(0, maximum * 4)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length <= maximum ? line : `${characters.slice(0, maximum - 1).join('')}…`
}

/** Joins the non-empty lines. */
export const lines = (...all: readonly string[]): string => all.filter((line) => line !== '').join('\n')

/** Prefixes untrusted text; empty without text. */
export function phrase(before: string, text: string | null, maximum?: number): string {
  const line = text === null ? '' : oneLine(text, maximum)
  return line === '' ? '' : `${before}${line}`
}

/** Keeps the HTTPS links. */
export function webLinks(
  links: readonly { readonly label: string; readonly url: string | null }[],
): NonNullable<Message['links']> {
  return links.flatMap(({ label, url }) => {
    const parsed = url === null || url.length > 2000 ? null : URL.parse(url)
    return parsed?.protocol === 'https:' ? [{ label, url: parsed.href }] : []
  })
}

/** The message of a manual test whose data does not match its kind. */
function testMessage(eventName: string): Message {
  return {
    title: `Test: ${oneLine(eventName)}`,
    text: 'A manual test delivery arrived. Its payload is not the data of this kind of event.',
    severity: 'info',
  }
}
