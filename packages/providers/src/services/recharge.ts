import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'
import { topics } from '../recharge-topics.ts'

/** Recharge: webhooks of a store. */
export const recharge = defineService({
  name: 'recharge',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-recharge-webhook-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 172_800 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: (event, { headers }) => headers.get('x-recharge-topic') ?? readResource(event),
  distinct: true,
  subject: (event) => readId(event),
  names: topics,
  agrees: ({ headers, payload }) => {
    const topic = headers.get('x-recharge-topic')
    return topic === null || topic.split('/', 1)[0] === readResource(payload)
  },
})

/** The body has the resource under its name, and included objects after it. */
const readResource = (event: unknown): string | undefined => Object.keys(Object(event) as object)[0]

function readId(event: unknown): string | undefined {
  const [resource] = Object.values(Object(event) as object) as unknown[]
  const { id } = Object(resource) as { readonly id?: unknown }
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

export const facts: ServiceFacts = {
  title: 'Recharge',
  docs: 'https://docs.getrecharge.com/docs/webhooks-overview',
  confidence: 'secondary',
  checked: '2026-11',
  sources: ['https://github.com/hookdeck/webhook-skills/tree/main/skills/recharge-webhooks'],
  setup: [
    'Create a webhook with the address and a topic with `POST https://api.rechargeapps.com/webhooks`.',
    'The secret is the client secret of the API token, not the token.',
  ],
  retries: '20 times within 48 hours; Recharge then deletes the webhook',
  traps: [
    'The topic is in `x-recharge-topic`, which is not signed. Its resource must agree with the first member of the signed body, so that a captured delivery can still get another topic of the same resource. Without the header, the kind is the resource, such as `charge`.',
    'Two changes can have equal bodies, so that each delivery is a new event, and so is a further attempt.',
    'The provider reads `x-recharge-webhook-signature`, and not the older `x-recharge-hmac-sha256`, which is a hash without HMAC.',
  ],
}
