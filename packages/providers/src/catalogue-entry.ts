import type { AnyProvider, CatalogueEntry, ServiceFacts } from '@sallyport/webhooks'
import { builtInSamples } from './samples.ts'

/** Creates the entry of a provider of this package. */
export function createCatalogueEntry(provider: AnyProvider, facts?: ServiceFacts): CatalogueEntry {
  return { provider, facts, loadSamples: builtInSamples.get(provider.name) }
}
