import {
  defineService,
  parseJson,
  parseJwtClaims,
  startsLikeJson,
  type LargeIntegers,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'

/** Wix: webhooks of an app. */
export const wix = defineService({
  name: 'wix',
  signature: jwt({ algorithms: ['RS256'], requiredClaims: ['iat', 'exp'] }),
  parse: (body, integers) => readEvent(body, integers),
  kind: 'eventType',
  id: 'data.id',
  subject: ['instanceId', 'data.entityId'],
  time: 'data.eventTime',
})

interface Holder {
  readonly data?: unknown
}

/** The claims have the event as text, and the event has its data as text. Samples have the inner objects. */
function readEvent(body: Uint8Array, integers?: LargeIntegers): unknown {
  const parse = (text: string) => parseJson(new TextEncoder().encode(text), integers)
  const claims = (startsLikeJson(body) ? parseJson(body, integers) : parseJwtClaims(body, integers)) as Holder
  const event = typeof claims.data === 'string' ? (parse(claims.data) as Holder) : claims
  return typeof event.data === 'string' ? { ...event, data: parse(event.data) } : event
}

export const facts: ServiceFacts = {
  title: 'Wix',
  docs: 'https://dev.wix.com/docs/build-apps/develop-your-app/api-integrations/events-and-webhooks/about-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://dev.wix.com/docs/rest/articles/getting-started/webhook-structure',
    'https://dev.wix.com/docs/rest/business-solutions/events/events-v3/event-created',
    'https://dev.wix.com/docs/rest/articles/getting-started/webhook-resend-policy',
  ],
  identity: 'https://dev.wix.com/docs/rest/business-solutions/events/events-v3/event-created',
  setup: [
    'Open the app, Webhooks, and create a webhook with the address.',
    'The secret is the public key of the app on the same page, in PEM.',
  ],
  retries: 'twelve times within about 2 days',
  traps: [
    'The body is a JSON Web Token with JSON as text in JSON as text: the provider reads the inner objects.',
    'Wix waits 1250 milliseconds for the response.',
  ],
}
