import type { ProviderSample } from '@sallyport/webhooks/testing'

export interface SampleOptions {
  /** Whether the sample is to be another event than before, rather than a redelivery. @default false */
  readonly fresh?: boolean
  /** Milliseconds since the epoch, for the times of a fresh sample. @default Date.now */
  readonly now?: () => number
  /** For the ids of a fresh sample. @default crypto.randomUUID */
  readonly randomUUID?: () => string
}

/** Real deliveries of a provider, for tests and tools. */
export interface ProviderSamples {
  /** The kinds that there is a sample of. */
  readonly kinds: readonly string[]
  /**
   * One delivery of a kind. Without options it is the same every time, a redelivery; a fresh one is another event.
   *
   * @throws TypeError for a kind that is not among `kinds`
   */
  readonly sample: (kind: string, options?: SampleOptions) => ProviderSample
  /** A delivery of every form in which the service sends the kinds, each another event. */
  readonly samples: (options?: SampleOptions) => readonly ProviderSample[]
}

/** What a fresh sample is made from. */
export interface Freshness {
  readonly uuid: string
  /** A number that no service's example carries. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A recorded delivery, and how it becomes another event. */
export interface RecordedDelivery<Body> {
  readonly kind: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The body of another event; with the headers, where these carry an id of the delivery. */
  readonly renew: (freshness: Freshness) => Pick<ProviderSample, 'body'> & Partial<ProviderSample>
}

/**
 * The samples of a provider from its recorded deliveries; the first of a kind is the one that stands for it.
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

  const sampleOf = ({ kind, headers, body, renew }: RecordedDelivery<unknown>, options: SampleOptions) =>
    structuredClone({ kind, headers, body, ...(options.fresh === true && renew(freshness(options))) })

  return {
    kinds,
    sample(kind, options = {}) {
      const first = recorded.find((one) => one.kind === kind)
      if (first === undefined)
        throw new TypeError(`There is no sample of "${kind}", only of ${kinds.join(', ')}`)
      return sampleOf(first, options)
    },
    samples: (options = {}) => recorded.map((one) => sampleOf(one, options)),
  }
}

function freshness(options: SampleOptions): Freshness {
  const { now = Date.now, randomUUID = () => crypto.randomUUID() } = options
  const uuid = randomUUID()
  return { uuid, id: Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16), now: now() }
}

/** The JSON value with one number or text replaced wherever it stands by itself, in addresses as well. */
export function renamed<Body>(body: Body, from: string | number, to: string | number): Body {
  const alone = new RegExp(`(?<![\\w.])${from}(?![\\w.])`, 'g')
  return JSON.parse(JSON.stringify(body).replace(alone, String(to))) as Body
}

/** A time as services write it: RFC 3339 in UTC, whole seconds. */
export function seconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, '')
}
