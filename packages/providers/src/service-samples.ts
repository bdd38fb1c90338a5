import type { Service } from '@sallyport/webhooks'
import { presentSample, renewSample, type ServiceSample } from '@sallyport/webhooks/testing'
import type { ProviderSamples, SampleOptions } from './provider-samples.ts'

/** Creates the samples of a service from its recorded deliveries. */
export function createServiceSamples(provider: Service, recorded: readonly ServiceSample[]): ProviderSamples {
  const kinds = [...new Set(recorded.map(({ kind }) => kind))]

  const create = (sample: ServiceSample, { fresh, now, randomUUID }: SampleOptions) => {
    const { kind, headers, body } = structuredClone(sample)
    // A server checks the signed time of a sample.
    if (!fresh) return now ? presentSample(provider, { kind, headers, body }, now()) : { kind, headers, body }
    const uuid = randomUUID?.() ?? crypto.randomUUID()
    return renewSample(provider, { kind, headers, body }, { uuid, now: now?.() ?? Date.now() })
  }

  return {
    kinds,
    sample(kind, options = {}) {
      const first = recorded.find((one) => one.kind === kind)
      if (first === undefined)
        throw new TypeError(`No sample of "${kind}" exists; use one of ${kinds.join(', ')}`)
      return create(first, options)
    },
    samples: (options = {}) => recorded.map((one) => create(one, options)),
  }
}
