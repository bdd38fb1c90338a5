import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { casesOf, equal } from './case.ts'
import { asker, openGateway, signed } from './doorbell.ts'
import { secret } from './fixed.ts'

/** Every provider takes what its service sends. */
export const providerCases = builtInProviders.flatMap((provider) =>
  casesOf('providers', {
    async [`${provider.name} accepts every sample`]() {
      const samples = (await builtInSamples.get(provider.name)?.())?.samples() ?? []
      if (samples.length === 0) throw new Error('There is no sample')
      for (const { headers, body } of samples) {
        const ask = asker(openGateway([{ ...provider, name: 'doorbell' }], [secret]))
        const { body: bytes, headers: proof } = await signed(body, provider.signature)
        equal(
          (await ask({ ...(bytes && { body: bytes }), headers: { ...headers, ...proof } })).said,
          'accepted',
        )
      }
    },
  }),
)
