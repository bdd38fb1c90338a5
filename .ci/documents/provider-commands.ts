import { getTrust, signDelivery, type Service, type ServiceFacts } from '@sallyport/webhooks'
import { encodeSampleBody, type ServiceSample } from '@sallyport/webhooks/testing'
import { findSigner, getVectorSecrets } from '../../packages/providers/scripts/catalogue/vector-secrets.ts'
import type { ServiceEntry } from '../../packages/providers/scripts/load.ts'

/** Returns the environment variable that holds the secret of a provider. */
export const secretVariable = (name: string): string =>
  `WEBHOOK_SECRET_${name.toUpperCase().replaceAll('-', '_')}`

const proofs = {
  partial: 'The signature does not cover the whole body',
  origin: 'The delivery proves only who sent it',
  none: 'The delivery proves nothing',
} as const

/** The step that accepts a service whose signature does not cover the body. */
export function unsignedStep(provider: Service): readonly string[] {
  const { name } = provider
  const trust = getTrust(provider)
  if (trust === 'signed') return []
  return [
    `${proofs[trust]}: set \`ALLOW_UNSIGNED=${name}\` on the reference server, or \`allowUnsigned: ['${name}']\` in your own gateway. Without it, the gateway does not accept the provider.`,
  ]
}

/** Renders the section with the kinds of the samples, and with the commands that send one. */
export async function sampleSection({ provider, facts, samples }: ServiceEntry): Promise<string> {
  const kinds = [...new Set(samples.map(({ kind }) => kind))]
  const recorded = `## Samples\n\nRecorded kinds: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.`
  const { name } = provider
  const { signing } = getVectorSecrets(provider)
  const [sample] = samples
  if (sample === undefined) throw new TypeError(`${name} has no samples`)
  const send = `npx sallyport send ${name} ${sample.kind}`
  switch (findSigner(name)) {
    case 'service':
      return `${recorded} Only ${facts.title} has the key that signs, so that \`sallyport send\` cannot. [The catalogue](../catalogue.md) has a delivery that a test key signs.\n`
    case 'pair':
      return `${recorded} \`sallyport dev\` creates a pair of keys and starts a server. Send a sample from a second terminal:\n\n${formatCommands([`npx sallyport dev ${name}`, send])}`
    case 'secret': {
      const variable = `${secretVariable(name)}=${quote(createValue(provider, facts))}`
      const settings = [
        ...(getTrust(provider) === 'signed' ? [] : [`ALLOW_UNSIGNED=${name}`]),
        ...((await signsUrl(provider, sample, signing)) ? ['PUBLIC_URL=http://localhost:3111'] : []),
        variable,
      ].join(' ')
      return `${recorded} Start a server in a checkout with a secret of the form of the service, and send a sample from a second terminal:\n\n${formatCommands([`PROVIDERS=${name} ${settings} npm start`, `${variable} ${send}`])}`
    }
  }
}

const formatCommands = (lines: readonly string[]): string => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`

/** An example of the secrets of a service, as the variable has them. */
function createValue(provider: Service, { setup }: ServiceFacts): string {
  const { secrets } = getVectorSecrets(provider)
  const hasVerifyToken = setup.some((step) => step.includes('`verify:`'))
  return [...secrets, ...(hasVerifyToken ? ['verify:a-random-text'] : [])].join(',')
}

/** Whether the scheme reads the public address while it verifies. */
async function signsUrl({ signature }: Service, sample: ServiceSample, secret: string): Promise<boolean> {
  const now = Date.now()
  const headers = new Headers(sample.headers)
  const unsigned = {
    method: 'POST',
    headers,
    body: encodeSampleBody(sample.body),
    url: 'http://localhost:3111/',
  }
  const signed = await signDelivery(signature, unsigned, secret, now)
  for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value)
  let isRead = false
  const delivery = {
    ...{ method: 'POST', headers, body: signed.body },
    get url() {
      isRead = true
      return signed.url ?? unsigned.url
    },
  }
  await signature.verify(delivery, [secret], now)
  return isRead
}

const quote = (text: string): string => (/^[\w+,./:=@-]+$/.test(text) ? text : `'${text}'`)
