import {
  defineService,
  ed25519,
  sha256Hex,
  signedId,
  signedTime,
  type ServiceFacts,
} from '@sallyport/webhooks'
import { createKeyLookup } from '@sallyport/webhooks/keys'
import { fetchKeySet } from '../key-set.ts'

const user = 'x-fal-webhook-user-id'
const findKeys = createKeyLookup({ load: fetchKeySet })

/** fal: webhooks of queued requests. */
export const fal = defineService({
  name: 'fal',
  signature: ed25519({
    header: 'x-fal-webhook-signature',
    encoding: 'hex',
    id: signedId({ header: 'x-fal-webhook-request-id' }),
    timestamp: signedTime({ header: 'x-fal-webhook-timestamp' }),
    signedHeaders: [user],
    content: async ({ id, headers, timestamp, body }) => [
      [id, headers.get(user), timestamp, await sha256Hex(body)].join('\n'),
    ],
    // fal signs the deliveries of all users with the same keys.
    keys: async (secrets, { headers }) =>
      secrets.includes(headers.get(user) ?? '')
        ? ((await findKeys('https://rest.fal.ai/.well-known/jwks.json')) ?? [])
        : [],
  }),
  kind: 'status',
  subject: 'request_id',
  bodyLimit: 10 * 1024 * 1024,
})

export const facts: ServiceFacts = {
  title: 'fal',
  docs: 'https://docs.fal.ai/model-endpoints/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.fal.ai/model-endpoints/webhooks',
    'https://docs.fal.ai/model-apis/model-endpoints/webhooks',
  ],
  setup: [
    'Send the address as `fal_webhook` with a request to the queue.',
    'The secret is the id of your user, which each delivery has in `x-fal-webhook-user-id`. It is not confidential: fal signs with its own keys.',
  ],
  retries: 'ten times within 2 hours',
  traps: [
    'fal signs for every user with the same keys: the provider compares the signed id of the user.',
    'The kind is the status: `OK` or `ERROR`. A result that is not JSON has `payload: null` and `payload_error`.',
  ],
}
