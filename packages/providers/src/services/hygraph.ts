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
const getEnvironment = (header: string | null): string | undefined =>
  header === null ? environment : headerForm.exec(header)?.[1]

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
  subject: 'data.id',
  time: 'data.updatedAt',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Hygraph',
  docs: 'https://hygraph.com/docs/developer-guides/webhooks/overview',
  confidence: 'primary',
  setup: [
    'Open Webhooks of the project, and add a webhook with the address.',
    'Enter a random text as the secret key. Hygraph signs nothing without a secret key.',
  ],
  traps: [
    'The signature covers a JSON text with the body, the environment and the time.',
    'The member `data` depends on the stages and on "Include payload" of the webhook.',
  ],
}
