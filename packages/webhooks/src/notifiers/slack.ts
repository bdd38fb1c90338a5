import type { InternalEvent, Message } from '../ports/event.ts'
import type { Notifier } from '../ports/ports.ts'
import { poster, type PostOptions } from './post.ts'
import { defused, escaped, inOneLine, linked } from './slack-text.ts'

/** The emoji of each severity. */
const emoji = { info: ':information_source:', warning: ':warning:', error: ':rotating_light:' } as const

// What Slack takes, in characters.
const headerLimit = 150
const textLimit = 3000

/**
 * Posts each message to an incoming webhook of Slack, or of a service that takes the same, such as Mattermost: a header
 * with the severity's emoji, the text, and the links beside the event's name.
 *
 * The address is the secret: keep it where secrets are kept. What strangers wrote can neither mention anybody, such as
 * by `@channel`, nor write links and images with texts of their own. Failures are those of {@link httpNotifier}.
 *
 * @throws TypeError when the address is not http or https, or holds a user and a password, or when the time is none that a
 *   timer can wait
 *
 * @example
 * ```ts
 * import { slackNotifier } from '@sallyport/webhooks/notifiers'
 *
 * declare const url: string // https://hooks.slack.com/services/…
 * export const notifier = slackNotifier({ url })
 * ```
 *
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export function slackNotifier(options: PostOptions): Notifier {
  const post = poster(options)
  return { notify: (message, event, signal) => post(JSON.stringify(bodyOf(message, event)), {}, signal) }
}

function bodyOf({ title, text, severity, links = [] }: Message, event: InternalEvent): object {
  const prefix = `${emoji[severity]} `
  const heading = escaped(inOneLine(title) || event.name, headerLimit - prefix.length)
  const section = escaped(text.trim(), textLimit)
  const context = [linked(links, textLimit / 2), escaped(event.name, textLimit / 2 - 3)]
    .filter((part) => part !== '')
    .join(' · ')
  return {
    // Shown where blocks are not: in notifications, and by services that know no blocks.
    text: defused([`${prefix}*${heading}*`, section, context].filter((line) => line !== '').join('\n')),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: `${prefix}${heading}`, emoji: true } },
      ...(section === '' ? [] : [{ type: 'section', text: markdown(section) }]),
      { type: 'context', elements: [markdown(context)] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

/** Verbatim: Slack makes no mention, channel or link of what looks like one. */
const markdown = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
