import { SallyportError } from '@sallyport/errors'
import { timerOption } from '@sallyport/internal/options'
import type { MaybePromise } from '../ports/ports.ts'
import { getNetworkCode } from './client.ts'

export interface FetchDataOptions {
  /** The URL of the server that stores the data. A reference is resolved against it and must have the same origin. */
  readonly baseUrl: string
  /** Headers of the request, such as `authorization`, or a function that returns them. */
  readonly headers?: Readonly<Record<string, string>> | (() => MaybePromise<Readonly<Record<string, string>>>)
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
  /** Timeout of the request and of its body, in milliseconds. @default 10,000 */
  readonly timeoutMs?: number
}

/** An event from a bus, or a CloudEvent. */
interface EventOrReference<Data> {
  readonly data?: Data
  readonly dataref?: unknown
}

/**
 * Returns the data of an event. The data of an event that was too large for the bus is loaded from its `dataref`.
 *
 * @throws SallyportError `NOT_FOUND` when the data was deleted or erased, which a retry does not change;
 *   `SERVICE_UNAVAILABLE` when the server answers otherwise or not at all; `BAD_REQUEST` for a reference to another origin
 * @throws TypeError if `baseUrl` is not a URL or `timeoutMs` is out of range
 *
 * @example
 * ```ts
 * import { fetchData } from '@sallyport/webhooks/http'
 *
 * const event = JSON.parse('{"dataref":"/api/v1/deliveries/0190a5d0-ac96-774b-bcce-b302099a8057/data?event=a"}')
 * const data = await fetchData<{ readonly door: string }>(event, {
 *   baseUrl: 'https://hooks.example.com',
 *   headers: () => ({ authorization: `Bearer ${process.env.ACCESS_TOKEN}` }),
 * })
 * ```
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/dataref.md
 */
export async function fetchData<Data>(
  event: EventOrReference<Data>,
  options: FetchDataOptions,
): Promise<Data> {
  const { baseUrl, headers = {}, fetch = globalThis.fetch, timeoutMs = 10_000 } = options
  timerOption('timeoutMs', timeoutMs)
  if (event.data !== undefined) return event.data
  if (typeof event.dataref !== 'string')
    throw new SallyportError('NOT_FOUND', 'The event has neither data nor a dataref: its data was erased')
  const { origin } = new URL(baseUrl)
  const url = URL.parse(event.dataref, baseUrl)
  // The headers hold a token.
  if (url?.origin !== origin || url.username !== '')
    throw new SallyportError('BAD_REQUEST', `The dataref of the event is not a URL on ${origin}`)
  const sent = typeof headers === 'function' ? await headers() : headers
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { headers: sent, redirect: 'error', signal })
    if (response.ok) return (await response.json()) as Data
    await response.body?.cancel()
    throw createStatusError(response.status)
  } catch (error) {
    if (error instanceof SallyportError) throw error
    const reason = signal.aborted ? 'timeout' : (getNetworkCode(error) ?? 'no answer')
    throw new SallyportError('SERVICE_UNAVAILABLE', `The data of the event cannot be loaded: ${reason}`)
  }
}

const createStatusError = (status: number): SallyportError =>
  status === 404 || status === 410
    ? new SallyportError('NOT_FOUND', 'The data of the event was deleted by retention or erased')
    : new SallyportError('SERVICE_UNAVAILABLE', `The data of the event cannot be loaded: status ${status}`)
