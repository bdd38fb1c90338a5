import type { WebhookEvent, Publisher } from '@sallyport/webhooks'
import {
  createHttpPublisher,
  type HttpClientOptions,
  type HttpMessage,
  type HttpReading,
} from '@sallyport/webhooks/http'

export interface InngestPublisherOptions extends HttpClientOptions {
  /**
   * The base URL of the event API.
   *
   * @default 'https://inn.gs'
   */
  readonly url?: string
  /** The event key. It is part of the request URL. No error message contains the key. */
  readonly key: string
  /**
   * Maximum size of a request body in bytes. An event that is larger is sent in its own request. The limit depends on
   * the Inngest plan.
   *
   * @default 512 KiB
   */
  readonly maxBytes?: number
  /**
   * Maximum size of an event in bytes. A larger event is published with a reference to its data, if the dispatcher has
   * `dataref`, and otherwise becomes a dead letter. Lower the limit to 256 KiB on the free plan.
   *
   * @default 3 MiB, the limit of the paid plans
   */
  readonly eventBytes?: number
}

/** Inngest's limit of events per request. */
const maxEvents = 5000
const maxEventBytes = 3 * 1024 * 1024
const headers = { 'content-type': 'application/json' }

/**
 * Creates a publisher that sends events to Inngest: `POST <url>/e/<key>` with an array of `{ name, data, id, ts }`.
 *
 * An event is published when the response has an id for it. Inngest starts a function once per event id within 24 hours.
 * The response does not reveal duplicates, so no result is marked as one. If Inngest rejects a batch because of one
 * event, the publisher divides the batch until that event fails alone, with a final failure. All other results are those
 * of {@link createHttpPublisher}: 429, 5xx, a wrong key (401, 403, 404) and network failures are retryable.
 *
 * An event whose data is not an object fails without a request. The data of an event with a reference is `{ dataref }`.
 * `headers` can select an environment:
 * `{ 'x-inngest-env': 'branch' }`.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, if the key is missing, or if `maxBytes` or
 *   `timeoutMs` is out of range
 *
 * @example
 * ```ts
 * import { createInngestPublisher } from '@sallyport/buses/inngest'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const publisher = createInngestPublisher({ key: process.env.INNGEST_EVENT_KEY ?? '' })
 * export const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 *
 * @see https://www.inngest.com/docs/events
 * @see https://www.inngest.com/docs/durable-execution/limits
 */
export function createInngestPublisher(options: InngestPublisherOptions): Publisher {
  const { url = 'https://inn.gs', key, eventBytes = maxEventBytes, ...rest } = options
  if (typeof key !== 'string' || key === '')
    throw new TypeError('Inngest needs an event key: set the option key')
  const address = `${url.replace(/(?<!\/)\/+$/, '')}/e/${encodeURIComponent(key)}`
  const format = { encode: encodeEvent, join: joinEvents, read: readResponse }
  return createHttpPublisher(format, { ...rest, url: address, maxEvents, eventBytes })
}

function encodeEvent({ name, data: given, dataref, id, ts }: WebhookEvent): HttpMessage {
  const data = dataref === undefined ? given : { dataref }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new TypeError('Inngest accepts only an object as data')
  return { headers, body: JSON.stringify({ name, data, id, ts }) }
}

function joinEvents(messages: readonly HttpMessage[]): HttpMessage {
  return { headers, body: `[${messages.map(({ body }) => body).join(',')}]` }
}

/**
 * Reads a response of the event API, `{ ids, status }`. After an error, `ids` has the events before the failed one.
 *
 * @throws TypeError if the body is not a JSON object
 */
function readResponse(body: string): HttpReading {
  const response: unknown = JSON.parse(body)
  if (typeof response !== 'object' || response === null)
    throw new TypeError('The response is not a response of Inngest')
  const { ids, status } = response as { readonly ids?: unknown; readonly status?: unknown }
  const taken = Array.isArray(ids) ? ids.map((id) => typeof id === 'string' && id !== '') : []
  return { taken, ...(isStatus(status) && { status }) }
}

const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
