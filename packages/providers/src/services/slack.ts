import { defineService, hmac, parseFormJson, signedTime, type ServiceFacts } from '@sallyport/webhooks'
import { slackHandshake } from '@sallyport/webhooks/handshakes'

/** Slack: the Events API, interactivity and slash commands of an app. */
export const slack = defineService({
  name: 'slack',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-slack-signature',
    prefix: 'v0=',
    timestamp: signedTime({ header: 'x-slack-request-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
  }),
  parse: parseFormJson('payload'),
  kind: (event) => readKind(event),
  // Interactions and slash commands have no id: the hash of the body identifies them.
  id: 'event_id',
  subject: ['team_id', 'team.id', 'event.channel', 'channel.id', 'channel_id'],
  time: 'event_time',
  handshake: slackHandshake(),
  answer: { status: 200 },
})

interface Payload {
  readonly type?: string
  readonly command?: string
  readonly event?: { readonly type?: string; readonly channel_type?: string }
}

const conversations = new Map([
  ['channel', 'channels'],
  ['group', 'groups'],
])

function readKind(payload: unknown): string | undefined {
  const { type, command, event } = Object(payload) as Payload
  if (event?.type === 'message' && event.channel_type !== undefined)
    return `message.${conversations.get(event.channel_type) ?? event.channel_type}`
  return event?.type ?? type ?? (command === undefined ? undefined : 'slash_command')
}

export const facts: ServiceFacts = {
  title: 'Slack',
  docs: 'https://docs.slack.dev/apis/events-api/',
  checked: '2026-11',
  sources: [
    'https://docs.slack.dev/apis/events-api/',
    'https://docs.slack.dev/reference/events/url_verification',
    'https://api.slack.com/reference/interaction-payloads',
  ],
  identity: 'https://docs.slack.dev/apis/events-api/',
  confidence: 'primary',
  setup: [
    'Open the app, Event Subscriptions, and enter the address as Request URL. Interactivity and slash commands have the same field.',
    'The secret is the signing secret in Basic Information.',
  ],
  retries: 'three times: at once, after 1 minute and after 5 minutes',
  traps: [
    'Interactions and slash commands have no id: the id is the hash of the body.',
    '`x-slack-retry-num` is not signed: the provider ignores it.',
    'Slack sends a message event of each kind of conversation as `message`: the kind adds `channels`, `groups`, `im` or `mpim`.',
  ],
}
