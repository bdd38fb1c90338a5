import {
  defineService,
  hmac,
  signedTime,
  structuredHeader,
  type SignatureLocation,
  type ServiceFacts,
} from '@sallyport/webhooks'

const name = 'persona-signature'
const pair = structuredHeader(name, { timestamp: 't', signature: 'v1' })

/** Pairs of a time and a signature that spaces separate. The pairs of one delivery have the same time. */
const location: SignatureLocation = {
  ...pair,
  read({ method, headers, body }) {
    const values = headers.get(name)?.split(' ', 8) ?? []
    const read = values.map((value) => pair.read({ method, body, headers: new Headers({ [name]: value }) }))
    const [first = 'missing'] = read
    if (typeof first === 'string') return first
    const same = read
      .filter((one) => typeof one !== 'string')
      .filter((one) => one.timestamp === first.timestamp)
    return { ...first, signatures: same.flatMap(({ signatures }) => signatures) }
  },
}

/** Persona: webhooks of an environment. */
export const persona = defineService({
  name: 'persona',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: location,
    timestamp: signedTime(),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'data.attributes.name',
  id: 'data.id',
  subject: ['data.attributes.payload.data.type', 'data.attributes.payload.data.id'],
  time: 'data.attributes.created-at',
})

export const facts: ServiceFacts = {
  title: 'Persona',
  docs: 'https://docs.withpersona.com/webhooks-best-practices',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.withpersona.com/docs/webhooks-best-practices',
    'https://docs.withpersona.com/docs/webhooks',
    'https://docs.withpersona.com/api-reference/webhooks/webhooks-account-events/webhook-account-created',
  ],
  identity: 'https://docs.withpersona.com/docs/webhooks',
  setup: [
    'Open Webhooks in the dashboard, and create a webhook with the address.',
    'The secret is the secret of the webhook, with its prefix `wbhsec_`.',
  ],
  retries: 'several times with growing delays; `persona-webhook-attempts-left` counts them',
  traps: ['During a rotation, the header has two signatures that a space separates.'],
}
