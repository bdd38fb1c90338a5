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

/** The values of a fresh sample. */
export interface Freshness {
  readonly uuid: string
  /** A number that no recorded delivery contains. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A recorded delivery and a function that makes a new event of it. */
export interface RecordedDelivery<Body> {
  readonly kind: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The body of a new event, and headers if they contain an id of the delivery. */
  readonly renew: (freshness: Freshness) => Pick<ProviderSample, 'body'> & Partial<ProviderSample>
}

/**
 * Creates the samples of a provider from recorded deliveries. `sample` returns the first delivery of a kind.
 *
 * @example
 * ```ts
 * import { recordedSamples } from '../provider-samples.ts'
 * import rung from './fixtures/bell.rung.json' with { type: 'json' }
 *
 * export const { kinds, sample, samples } = recordedSamples([
 *   { kind: 'bell.rung', ...rung, renew: ({ uuid }) => ({ body: { ...rung.body, id: uuid } }) },
 * ])
 * ```
 */
export function recordedSamples(recorded: readonly RecordedDelivery<unknown>[]): ProviderSamples {
  const kinds = [...new Set(recorded.map(({ kind }) => kind))]

  const createSample = ({ kind, headers, body, renew }: RecordedDelivery<unknown>, options: SampleOptions) =>
    structuredClone({ kind, headers, body, ...(options.fresh === true && renew(freshness(options))) })

  return {
    kinds,
    sample(kind, options = {}) {
      const first = recorded.find((one) => one.kind === kind)
      if (first === undefined)
        throw new TypeError(`No sample of "${kind}" exists; use one of ${kinds.join(', ')}`)
      return createSample(first, options)
    },
    samples: (options = {}) => recorded.map((one) => createSample(one, options)),
  }
}

function freshness(options: SampleOptions): Freshness {
  const { now = Date.now, randomUUID = () => crypto.randomUUID() } = options
  const uuid = randomUUID()
  return { uuid, id: Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16), now: now() }
}

/** Replaces one number or text in a JSON value, including its occurrences in URLs, but not inside longer words. */
export function renamed<Body>(body: Body, from: string | number, to: string | number): Body {
  const alone = new RegExp(`(?<![\\w.])${from}(?![\\w.])`, 'g')
  return JSON.parse(JSON.stringify(body).replace(alone, String(to))) as Body
}

/** Formats a time as RFC 3339 in UTC with whole seconds. */
export function seconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, '')
}
