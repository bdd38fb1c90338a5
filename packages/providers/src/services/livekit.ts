import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** LiveKit: webhooks of a project or a server. */
export const livekit = defineService({
  name: 'livekit',
  signature: jwt({
    header: 'authorization',
    algorithms: ['HS256'],
    claim: 'sha256',
    claimEncoding: 'base64',
    requiredClaims: ['exp'],
  }),
  kind: 'event',
  id: 'id',
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

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'LiveKit',
  docs: 'https://docs.livekit.io/intro/basics/rooms-participants-tracks/webhooks-events/',
  confidence: 'primary',
  setup: [
    'Open Settings, Webhooks, of the project in LiveKit Cloud, and enter the address and an API key, or configure `webhook.urls` and `webhook.api_key` of your server.',
    'The secret is the secret of this API key.',
  ],
  traps: [
    'The token is the whole value of `authorization`, without `Bearer`.',
    'The content type is `application/webhook+json`, and large integers are texts.',
  ],
}
