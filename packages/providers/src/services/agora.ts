import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Agora: notifications of a project. */
export const agora = defineService({
  name: 'agora',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'agora-signature-v2' }),
  kind: ['productId', 'eventType'],
  ignore: ['notifyMs'],
  subject: (event) => readChannel(event),
  time: 'notifyMs',
})

interface Notification {
  readonly sid?: string
  readonly payload?: { readonly channelName?: string; readonly cname?: string }
}

const readChannel = (event: unknown): string | undefined => {
  const { payload, sid } = Object(event) as Notification
  return payload?.channelName ?? payload?.cname ?? sid
}

export const facts: ServiceFacts = {
  title: 'Agora',
  docs: 'https://docs.agora.io/en/video-calling/advanced-features/receive-notifications',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.agora.io/en/interactive-live-streaming/core-functionality/receive-notifications',
    'https://docs-beta.agora.io/en/video-calling/channel-management-api/webhook/channel-event-type',
  ],
  setup: [
    'Open the project in the Agora Console, Notifications, enter the address and select the events of the product.',
    'The secret is the one that the console shows there. Each product has its own.',
  ],
  retries: 'three times with growing delays',
  traps: [
    'The kind is the number of the product and the number of the event: `1.101` is the creation of a channel.',
    'Agora also sends `agora-signature` with SHA-1, which the provider ignores.',
    '`notifyMs` is the time of the attempt: the hash of the body omits it.',
  ],
}
