import type { AnyProvider, CatalogueEntry, ServiceFacts } from '@sallyport/webhooks'
import { builtInSamples } from './samples.ts'

/** Creates the entry of a provider of this package. */
export function createCatalogueEntry(provider: AnyProvider, facts?: ServiceFacts): CatalogueEntry {
  return { provider, facts, loadSamples: builtInSamples.get(provider.name) }
}

/** Describes a neutral contract, which has the form of a service and is not the service. */
export function describeNeutral(
  { name, signature }: AnyProvider,
  service: string,
  { title, docs, confidence, checked, sources }: ServiceFacts,
): ServiceFacts {
  return {
    ...{ docs, confidence, checked, sources },
    title: `Neutral contract ${name} (in the form of ${title})`,
    setup: [
      `For ${title} itself, use the provider ${service}: the neutral contract refuses the headers of ${title}.`,
      `Sign the deliveries of your own sender like ${title}, in the header ${signature.headers.join(', ')}.`,
    ],
    retries: 'Those of the sender.',
  }
}
