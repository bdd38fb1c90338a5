import type { AnyProvider, Service } from '@sallyport/webhooks'
import { encodeSampleBody, type ServiceSample } from '@sallyport/webhooks/testing'
import type { ProviderSamples } from './provider-samples.ts'
import { createServiceSamples } from './service-samples.ts'

/**
 * Creates the samples of a neutral provider from the recorded deliveries of its service: those that become an event.
 *
 * @param identity the paths of the ids and times that a fresh sample renews, where the neutral provider reads others than the
 *   service
 */
export function createNeutralSamples(
  provider: AnyProvider,
  service: Service,
  recorded: readonly ServiceSample[],
  identity: Partial<Pick<Service['service'], 'id' | 'time'>> = {},
): ProviderSamples {
  const own = recorded.flatMap((sample) => {
    const { headers, body } = sample
    const delivery = {
      headers: new Headers(headers),
      payload: body,
      body: encodeSampleBody(body),
      receivedAt: 0,
    }
    return [provider.normalize(delivery)].flat().map(({ kind }) => ({ ...sample, kind }))
  })
  return createServiceSamples({ ...service, service: { ...service.service, ...identity } }, own)
}
