import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { livekitSignature } from '../livekit-signature.ts'

/** LiveKit: webhooks of a project or a server. */
export const livekit = defineService({
  name: 'livekit',
  signature: livekitSignature,
  kind: 'event',
  subject: (event) => readSubject(event),
  time: 'createdAt',
})

interface Event {
  readonly room?: { readonly sid?: string }
  readonly egressInfo?: { readonly egressId?: string }
  readonly ingressInfo?: { readonly ingressId?: string }
}

const readSubject = (event: unknown): string | undefined => {
  const { room, egressInfo, ingressInfo } = Object(event) as Event
  return room?.sid ?? egressInfo?.egressId ?? ingressInfo?.ingressId
}

export const facts: ServiceFacts = {
  title: 'LiveKit',
  docs: 'https://docs.livekit.io/intro/basics/rooms-participants-tracks/webhooks-events/',
  checked: '2026-11',
  sources: [
    'https://github.com/livekit/protocol/blob/main/webhook/url_notifier.go',
    'https://github.com/livekit/node-sdks/blob/main/packages/livekit-server-sdk/src/WebhookReceiver.ts',
    'https://docs.livekit.io/server/webhooks/',
  ],
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, of the project in LiveKit Cloud, and enter the address and an API key, or configure `webhook.urls` and `webhook.api_key` of your server.',
    'The secret is `<API key>:<secret>` of this key, or the secret alone: without the key, the issuer of the token is not compared, and a delivery of `sallyport send` has none.',
  ],
  retries:
    'several times within seconds after a failed connection or a status of 429 or 5xx, with the same token; LiveKit drops events that wait too long',
  traps: [
    'The token is the whole value of `authorization`, without `Bearer`.',
    'The content type is `application/webhook+json`, and large integers are texts.',
  ],
}
