import type { ServiceFacts } from './facts.ts'
import type { TestSamples } from '../endpoints/test-deliveries.ts'
import type { AnyProvider } from './provider.ts'

/** A provider in a catalogue, for pages that explain the setup of its service. */
export interface CatalogueEntry {
  readonly provider: AnyProvider
  /** What the documentation of the service says. @default unknown */
  readonly facts?: ServiceFacts | undefined
  /** Loads the sample deliveries. @default no samples */
  readonly loadSamples?: (() => Promise<TestSamples>) | undefined
}
