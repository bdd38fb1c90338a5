import { createPost, type PostOptions } from '../notifiers/post.ts'
import { createSlackBody } from '../notifiers/slack.ts'
import type { AlertMessage } from './message.ts'
import type { AlertTarget } from './send.ts'
import { truncate } from './truncate.ts'

export interface ChatAlertsOptions extends PostOptions {
  /** @default the name of the service */
  readonly name?: string
}

function createChatTarget(
  service: string,
  createBody: (message: AlertMessage) => object,
  { name = service, ...options }: ChatAlertsOptions,
): AlertTarget {
  const post = createPost(options)
  return { name, send: (message, signal) => post(JSON.stringify(createBody(message)), {}, signal) }
}

/**
 * Creates a target that posts to an incoming webhook of Slack, or of a compatible service such as Mattermost. The URL is a
 * secret.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const createSlackAlerts = (options: ChatAlertsOptions): AlertTarget =>
  createChatTarget('slack', (message) => createSlackBody(message, message.name), options)

/** The limit of Discord for the title of an embed, in characters. */
const titleLimit = 256

/** The limit of Discord for the description of an embed, in characters. */
const discordLimit = 4096

const discordColors = { info: 0x2e7d32, warning: 0xf9a825, error: 0xc62828 } as const

/**
 * Creates a target that posts to a webhook of Discord. The URL is a secret. A title of more than 256 characters, and a text
 * with links of more than 4,096, is truncated.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 * @see https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export const createDiscordAlerts = (options: ChatAlertsOptions): AlertTarget =>
  createChatTarget(
    'discord',
    ({ title, text, severity, links = [], name, since }) => ({
      embeds: [
        {
          title: truncate(title, titleLimit),
          description: truncate(
            [text, ...links.map(({ label, url }) => `[${label}](${url})`)].join('\n'),
            discordLimit,
          ),
          color: discordColors[severity],
          footer: { text: truncate(name, titleLimit) },
          timestamp: new Date(since).toISOString(),
        },
      ],
      allowed_mentions: { parse: [] },
    }),
    options,
  )

/** Teams refuses messages over 28 KB. A UTF-16 code unit has up to 6 bytes in JSON, where it may be escaped. */
const teamsLimit = 4000

const teamsColors = { info: 'good', warning: 'warning', error: 'attention' } as const

/**
 * Creates a target that posts an Adaptive Card to a workflow of Microsoft Teams with the trigger "When a Teams webhook
 * request is received". The URL is a secret. A text of more than 4,000 characters is truncated.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 */
export const createTeamsAlerts = (options: ChatAlertsOptions): AlertTarget =>
  createChatTarget(
    'teams',
    ({ title, text, severity, links = [], name }) => ({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              {
                ...{ type: 'TextBlock', text: truncate(title, titleLimit), wrap: true },
                ...{ weight: 'bolder', size: 'medium', color: teamsColors[severity] },
              },
              { type: 'TextBlock', text: truncate(text, teamsLimit), wrap: true },
              { type: 'TextBlock', text: truncate(name, titleLimit), isSubtle: true, size: 'small' },
            ],
            actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
          },
        },
      ],
    }),
    options,
  )
