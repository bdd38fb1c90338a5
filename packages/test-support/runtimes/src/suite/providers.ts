import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { signDelivery } from '@sallyport/webhooks'
import type { Specimens } from '../specimens.ts'
import { defineCases, expectEqual, type Case } from './case.ts'
import { createClient, openGateway } from './doorbell.ts'
import { now, toBytes } from './fixed.ts'

/** Services whose signatures need MD5 or a chain of X.509 certificates, which WebCrypto does not have. */
const nodeOnly: ReadonlySet<string> = new Set(['app-store', 'patreon', 'payu'])
const isWorkerd = navigator.userAgent === 'Cloudflare-Workers'

/** Every provider accepts the samples of its service, except services whose keys only the service has. */
export const providerCases = ({ sampleSecrets }: Specimens): readonly Case[] =>
  builtInProviders.flatMap((provider) => {
    const { name, signature } = provider
    const secrets = sampleSecrets[name]
    if (secrets === undefined || (isWorkerd && nodeOnly.has(name))) return []
    return defineCases('providers', {
      async [`${name} accepts every sample`]() {
        const samples = (await builtInSamples.get(name)?.())?.samples({ now: () => now }) ?? []
        if (samples.length === 0) throw new Error('The provider has no samples')
        for (const { headers, body: content } of samples) {
          const send = createClient(openGateway([provider], secrets.verify))
          const path = `/webhooks/${name}`
          const url = `https://hooks.example${path}`
          const unsigned = { method: 'POST', headers: new Headers(headers), body: toBytes(content), url }
          const signed = await signDelivery(signature, unsigned, secrets.sign, now)
          const { outcome, headers: answered } = await send({
            path: path + new URL(signed.url ?? url).search,
            body: Uint8Array.from(signed.body),
            headers: { ...headers, ...signed.headers },
          })
          // A service that requires its own answer gets the status in a header.
          expectEqual(provider.answer ? answered.get('sallyport-status') : outcome, 'accepted')
        }
      },
    })
  })
