import { defineService, hmac, signedTime, structuredHeader, type ServiceFacts } from '@sallyport/webhooks'

/** Recharge: webhooks of a store. */
export const recharge = defineService({
  name: 'recharge',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('x-recharge-webhook-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime({ toleranceSeconds: 172_800 }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  // The body has the resource under its name, and included objects after it.
  kind: (event) => Object.keys(Object(event) as object)[0],
  distinct: true,
  subject: (event) => readId(event),
})

function readId(event: unknown): string | undefined {
  const [resource] = Object.values(Object(event) as object) as unknown[]
  const { id } = Object(resource) as { readonly id?: unknown }
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

/** The facts for the documentation. */
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
    'No header and no field has the topic: the kind is the resource, such as `charge`. Give each topic its own address to tell them apart.',
    'Two topics can have equal bodies, so that each delivery is a new event, and so is a further attempt.',
    'The provider reads `x-recharge-webhook-signature`, and not the older `x-recharge-hmac-sha256`, which is a hash without HMAC.',
  ],
}
