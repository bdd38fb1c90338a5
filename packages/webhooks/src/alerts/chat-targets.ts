import { createPost, type PostOptions } from '../notifiers/post.ts'
import { createSlackBody } from '../notifiers/slack.ts'
import type { AlertMessage } from './message.ts'
import type { AlertTarget } from './send.ts'

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
export const slackAlerts = (options: ChatAlertsOptions): AlertTarget =>
  createChatTarget('slack', (message) => createSlackBody(message, message.name), options)

const discordColors = { info: 0x2e7d32, warning: 0xf9a825, error: 0xc62828 } as const

/**
 * Creates a target that posts to a webhook of Discord. The URL is a secret.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 * @see https://docs.discord.com/developers/resources/webhook#execute-webhook
 */
export const discordAlerts = (options: ChatAlertsOptions): AlertTarget =>
  createChatTarget(
    'discord',
    ({ title, text, severity, links = [], name, since }) => ({
      embeds: [
        {
          title: title.slice(0, 256),
          description: [text, ...links.map(({ label, url }) => `[${label}](${url})`)]
            .join('\n')
            .slice(0, 4096),
          color: discordColors[severity],
          footer: { text: name },
          timestamp: new Date(since).toISOString(),
        },
      ],
      allowed_mentions: { parse: [] },
    }),
    options,
  )

const teamsColors = { info: 'good', warning: 'warning', error: 'attention' } as const

/**
 * Creates a target that posts an Adaptive Card to a workflow of Microsoft Teams with the trigger "When a Teams webhook
 * request is received". The URL is a secret.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 */
export const teamsAlerts = (options: ChatAlertsOptions): AlertTarget =>
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
                ...{ type: 'TextBlock', text: title, wrap: true },
                ...{ weight: 'bolder', size: 'medium', color: teamsColors[severity] },
              },
              { type: 'TextBlock', text, wrap: true },
              { type: 'TextBlock', text: name, isSubtle: true, size: 'small' },
            ],
            actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
          },
        },
      ],
    }),
    options,
  )
