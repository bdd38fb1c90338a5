import {
  defineService,
  hmac,
  signedTime,
  structuredHeader,
  type ServiceFacts,
  type SignatureLocation,
} from '@sallyport/webhooks'

const name = 'gcms-signature'
/** The environment of test deliveries. */
const environment = 'master'
const headerForm = /^sign=[^,]+, env=([^,]+), t=\d+$/
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const location: SignatureLocation = {
  ...structuredHeader(name, { signature: 'sign', timestamp: 't', separator: ', ' }),
  write: (signature, timestamp) => ({ [name]: `sign=${signature}, env=${environment}, t=${timestamp}` }),
}

/** Returns the environment of a signature header. A delivery that is not signed yet has no header. */
const getEnvironment = (header: string | null) => (header ? headerForm.exec(header)?.[1] : environment)

/** Hygraph: webhooks of environments. */
export const hygraph = defineService({
  name: 'hygraph',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: location,
    timestamp: signedTime({ unit: 'ms' }),
    content: ({ headers, timestamp, body }) => [
      JSON.stringify({
        Body: decoder.decode(body),
        EnvironmentName: getEnvironment(headers.get(name)),
        TimeStamp: Number(timestamp),
      }),
    ],
  }),
  kind: ['operation', 'data.__typename'],
  distinct: true,
  subject: 'data.id',
  time: 'data.updatedAt',
})

export const facts: ServiceFacts = {
  title: 'Hygraph',
  docs: 'https://hygraph.com/docs/developer-guides/webhooks/overview',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://hygraph.com/classic-docs/api-reference/basics/webhooks',
    'https://hygraph.com/docs/developer-guides%2Fwebhooks%2Fwebhooks-overview',
  ],
  setup: [
    'Open Webhooks of the project, and add a webhook with the address.',
    'Enter a random text as the secret key. Hygraph signs nothing without a secret key.',
  ],
  retries: 'four times',
  traps: [
    'The signature covers a JSON text with the body, the environment and the time.',
    'The member `data` depends on the stages and on "Include payload" of the webhook.',
    'Without "Include payload", two changes have equal bodies: each delivery is a new event, and a retry is one, too.',
    'Choose the method POST.',
  ],
}
