import type { ProviderSample } from '@sallyport/webhooks/testing'

export interface SampleOptions {
  /** Whether the sample is a new event rather than a redelivery. @default false */
  readonly fresh?: boolean
  /** Milliseconds since the epoch, for the times of a fresh sample. @default Date.now */
  readonly now?: () => number
  /** For the ids of a fresh sample. @default crypto.randomUUID */
  readonly randomUUID?: () => string
}

/** Sample deliveries of a provider, for tests and tools. */
export interface ProviderSamples {
  /** The kinds with a sample. */
  readonly kinds: readonly string[]
  /**
   * A delivery of a kind. By default it is the same on every call, like a redelivery; a fresh sample is a new event.
   *
   * @throws TypeError for a kind that is not among `kinds`
   */
  readonly sample: (kind: string, options?: SampleOptions) => ProviderSample
  /** One delivery of every form that the service sends, each a different event. */
  readonly samples: (options?: SampleOptions) => readonly ProviderSample[]
}
