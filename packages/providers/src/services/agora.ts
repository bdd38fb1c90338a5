import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Agora: notifications of a project. */
export const agora = defineService({
  name: 'agora',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'agora-signature-v2' }),
  kind: ['productId', 'eventType'],
  id: 'noticeId',
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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Agora',
  docs: 'https://docs.agora.io/en/video-calling/advanced-features/receive-notifications',
  confidence: 'secondary',
  setup: [
    'Open the project in the Agora Console, Notifications, enter the address and select the events of the product.',
    'The secret is the one that the console shows there. Each product has its own.',
  ],
  retries: 'up to three times with growing delays',
  traps: [
    'The kind is the number of the product and the number of the event: `1.101` is the creation of a channel.',
    'Agora also sends `agora-signature` with SHA-1, which the provider ignores.',
  ],
}
