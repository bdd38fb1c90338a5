import type { ServiceFacts } from './facts.ts'
import type { AnyProvider } from './provider.ts'

/** The sample deliveries of a provider, such as those of `@sallyport/providers/samples`. */
export interface TestSamples {
  /** The kinds with a sample. */
  readonly kinds: readonly string[]
  /** Returns a delivery of a kind without its signature. A fresh sample is a new event. */
  readonly sample: (
    kind: string,
    options: { readonly fresh: boolean; readonly now: () => number },
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
}

/** A provider in a catalogue, for pages that explain the setup of its service. */
export interface CatalogueEntry {
  readonly provider: AnyProvider
  /** The statement of the service's documentation. @default unknown */
  readonly facts?: ServiceFacts | undefined
  /** Loads the sample deliveries. @default no samples */
  readonly loadSamples?: (() => Promise<TestSamples>) | undefined
}
