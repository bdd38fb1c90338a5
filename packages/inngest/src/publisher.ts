import type { Publisher } from '@sallyport/webhooks'
import { httpPublisher, type HttpClientOptions } from '@sallyport/webhooks/http'
import { readAnswer } from './answer.ts'
import { encodeEvent, joinEvents } from './event.ts'

export interface InngestPublisherOptions extends HttpClientOptions {
  /**
   * Where the event API is: Inngest's own, or a server of yours.
   *
   * @default 'https://inn.gs'
   */
  readonly url?: string
  /** The event key. It is part of the address, and no failure tells it. */
  readonly key: string
  /**
   * Bytes of a request's body; an event that is larger by itself goes alone. Inngest's plans differ.
   *
   * @default 512 KiB
   */
  readonly maxBytes?: number
}

/** What Inngest takes in one request. */
const maxEvents = 5000

/**
 * A publisher on Inngest's event API: `POST <url>/e/<key>` with an array of `{ name, data, id, ts }`.
 *
 * Inngest starts functions once for an id within 24 hours; it does not say that it knows one, so no result is marked as a
 * duplicate. An event is taken when the answer has an id for it. A batch with an event that Inngest refuses is divided
 * until that event fails alone, as a final failure. Everything else is as with {@link httpPublisher}: 429, 5xx, a wrong
 * key (401, 403, 404) and a network that fails can be tried again.
 *
 * Data that is no object is refused here. `headers` may name an environment: `{ 'x-inngest-env': 'branch' }`.
 *
 * @throws TypeError when the address is not http or https or holds a user and a password, when the key is no text or
 *   empty, when the limit is no whole number from 1, or when the time is none that a timer can wait
 *
 * @example
 * ```ts
 * import { inngestPublisher } from '@sallyport/inngest'
 * import { createDispatcher, memoryInbox } from '@sallyport/webhooks'
 *
 * const publisher = inngestPublisher({ key: process.env.INNGEST_EVENT_KEY ?? '' })
 * export const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher })
 * ```
 *
 * @see https://www.inngest.com/docs/events
 * @see https://www.inngest.com/docs/usage-limits/inngest
 */
export function inngestPublisher(options: InngestPublisherOptions): Publisher {
  const { url = 'https://inn.gs', key, ...rest } = options
  if (typeof key !== 'string' || key === '') throw new TypeError('Inngest needs an event key')
  const address = `${url.replace(/\/+$/, '')}/e/${encodeURIComponent(key)}`
  const format = { encode: encodeEvent, join: joinEvents, read: readAnswer }
  return httpPublisher(format, { ...rest, url: address, maxEvents })
}
