import {
  createGateway,
  createMemoryInbox,
  signDelivery,
  staticSecrets,
  type Observation,
  type Service,
} from '@sallyport/webhooks'
import { generateKeyPairSync } from 'node:crypto'
import { getUrl, now, secret, toBytes } from './send.ts'

const pair = generateKeyPairSync('ed25519')
const exportRaw = (key: Buffer) => key.subarray(-32).toString('base64')

/** The secret that verifies and the secret that signs, where the usual one has the wrong form. */
const secrets: Readonly<Record<string, readonly [string, string]>> = {
  daily: [btoa('secret'), btoa('secret')],
  pipedrive: ['sallyport:password', 'sallyport:password'],
  telnyx: [
    exportRaw(pair.publicKey.export({ format: 'der', type: 'spki' })),
    exportRaw(pair.privateKey.export({ format: 'der', type: 'pkcs8' })),
  ],
}

/** Opens an endpoint with its own inbox. */
export function open(provider: Service) {
  const { name, signature } = provider
  const [verifying, signing] = secrets[name] ?? [secret, secret]
  let observed: Observation | undefined
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [name],
    secrets: staticSecrets({ [name]: [verifying] }),
    inbox: createMemoryInbox({ now: () => now }),
    now: () => now,
    observe: (observation) => (observed = observation),
  })
  return {
    deliver: async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const request = {
        method: 'POST',
        headers: new Headers(headers),
        body: toBytes(body),
        url: getUrl(provider),
      }
      const signed = await signDelivery(signature, request, signing, now)
      await gateway.handle({
        method: 'POST',
        provider: name,
        url: request.url,
        headers: new Headers({ ...headers, ...signed.headers }),
        readBody: (sink) => {
          sink.push(signed.body)
          return Promise.resolve()
        },
      })
      return observed?.outcome
    },
  }
}

export interface Sample {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The sample of a kind. */
export const pick = (samples: readonly (Sample & { readonly kind?: string })[], kind: string): Sample => {
  const found = samples.find((sample) => sample.kind === kind)
  if (found === undefined) throw new Error(`No sample of ${kind}`)
  return found
}
