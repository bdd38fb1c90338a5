import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** LINE: webhooks of the Messaging API. */
export const line = defineService({
  name: 'line',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-line-signature' }),
  events: 'events.*',
  kind: 'type',
  id: 'webhookEventId',
  ignore: ['deliveryContext.isRedelivery'],
  subject: ['source.groupId', 'source.roomId', 'source.userId'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'LINE',
  docs: 'https://developers.line.biz/en/docs/messaging-api/receiving-messages/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.line.biz/en/docs/messaging-api/receiving-messages/',
    'https://github.com/line/line-bot-sdk-nodejs/blob/master/lib/webhook/model/event.ts',
  ],
  identity: 'https://github.com/line/line-bot-sdk-nodejs/blob/master/lib/webhook/model/event.ts',
  setup: [
    'Open the LINE Developers Console, the channel, Messaging API, and enter the address as webhook URL.',
    'The secret is the channel secret.',
  ],
  retries: 'only if redelivery is on in the console',
  traps: ['`deliveryContext.isRedelivery` changes between attempts; `webhookEventId` does not.'],
}
