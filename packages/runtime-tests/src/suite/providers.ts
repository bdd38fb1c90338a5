import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { defineCases, expectEqual } from './case.ts'
import { createClient, openGateway, signed } from './doorbell.ts'
import { secret } from './fixed.ts'

/** Every provider accepts the samples of its service. */
export const providerCases = builtInProviders.flatMap((provider) =>
  defineCases('providers', {
    async [`${provider.name} accepts every sample`]() {
      const samples = (await builtInSamples.get(provider.name)?.())?.samples() ?? []
      if (samples.length === 0) throw new Error('The provider has no samples')
      for (const { headers, body } of samples) {
        const send = createClient(openGateway([{ ...provider, name: 'doorbell' }], [secret]))
        const { body: bytes, headers: proof } = await signed(body, provider.signature)
        expectEqual(
          (await send({ ...(bytes && { body: bytes }), headers: { ...headers, ...proof } })).outcome,
          'accepted',
        )
      }
    },
  }),
)
