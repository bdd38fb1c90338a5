import { defineService, rsa, signedTime, type Jwk, type ServiceFacts } from '@sallyport/webhooks'
import { createKeyLookup } from '@sallyport/webhooks/keys'
import { fetchKeySet } from '../key-set.ts'

const findKey = createKeyLookup({
  async load(id) {
    const keys: readonly (Jwk & { readonly kid?: string })[] = await fetchKeySet(
      'https://api.shipengine.com/jwks',
    )
    return keys.find(({ kid }) => kid === id)
  },
})

/** ShipStation API (version 2, ShipEngine): webhooks of an account. */
export const shipstation = defineService({
  name: 'shipstation',
  signature: rsa({
    header: 'x-shipengine-rsa-sha256-signature',
    encoding: 'base64',
    timestamp: signedTime({ header: 'x-shipengine-timestamp', unit: 'rfc3339' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
    async keys(secrets, { headers }) {
      const id = headers.get('x-shipengine-rsa-sha256-key-id') ?? ''
      return secrets.length > 0 && /^[\w-]{1,64}$/.test(id) ? [(await findKey(id)) ?? []].flat() : []
    },
  }),
  kind: 'resource_type',
  // A notification without data has only the address of a batch or a report, which can change again.
  distinct: (event) => (Object(event) as { readonly data?: unknown }).data === undefined,
  subject: ['data.label_id', 'data.tracking_number', 'resource_url'],
})

export const facts: ServiceFacts = {
  title: 'ShipStation',
  docs: 'https://docs.shipstation.com/apis/docs/guides/webhooks-validation',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.shipstation.com/apis/docs/guides/webhooks-validation',
    'https://docs.shipstation.com/apis/docs/guides/webhooks-overview.md',
    'https://docs.shipstation.com/apis/shipengine/docs/guides/webhooks',
  ],
  setup: [
    'Create a webhook with the address with the API, or in the ShipEngine dashboard under Developer, Webhooks.',
    'The secret can be any text: the public keys of ShipEngine verify, which the provider fetches.',
  ],
  retries: 'twice, about 30 minutes apart',
  traps: [
    'The keys are the same for all accounts: the signature proves ShipStation, not your account. Read the resource with your API key before you act on it.',
    'Webhooks of the API of version 1 are not signed, and are refused.',
    'Send the API key to a `resource_url` only after you checked its host.',
  ],
}
