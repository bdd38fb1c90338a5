import type { MaybePromise, Publisher } from '@sallyport/webhooks'
import { httpPublisher, type HttpPublisherOptions } from '@sallyport/webhooks/http'
import { modes } from './modes.ts'
import { signer } from './signature.ts'

export interface CloudEventsPublisherOptions extends HttpPublisherOptions {
  /**
   * How events are written: as a JSON document each; with their attributes in headers; or many in one document, which
   * not every receiver takes.
   *
   * @default 'structured'
   */
  readonly mode?: 'structured' | 'binary' | 'batch'
  /**
   * Signs the bodies by Standard Webhooks: `whsec_` and base64, or `whsk_` for Ed25519. A function is asked for every
   * request, such as for a lease; while it gives what signs nothing, events fail as `SECRET_UNUSABLE` and are tried
   * again. Not in binary mode, where ids and types would be in headers that nothing signs.
   */
  readonly secret?: string | (() => MaybePromise<string>)
  /**
   * Requests at once, of one batch. With 1, events arrive in their order.
   *
   * @default 10, and 1 in batch mode
   */
  readonly concurrency?: number
}

/**
 * A publisher that posts events as CloudEvents 1.0, in any of the three content modes of the HTTP binding.
 *
 * What becomes of an event is as with {@link httpPublisher}: a status of 200 to 299 takes it, and nothing of the answer
 * is read. HTTP has no deduplication: an event can arrive more than once, with the same `source` and `id`.
 *
 * @throws TypeError when the address is not http or https or holds a user and a password, when a header is none, when a
 *   limit is no whole number from 1, when the time is none that a timer can wait, when the mode is none of the three, when
 *   the secret is a text that signs nothing, or when binary mode is to be signed
 *
 * @example
 * ```ts
 * import { cloudEventsPublisher } from '@sallyport/cloudevents'
 * import { createDispatcher, memoryInbox } from '@sallyport/webhooks'
 *
 * const publisher = cloudEventsPublisher({ url: 'https://broker.example.com/default', mode: 'binary' })
 * export const dispatcher = createDispatcher({ inbox: memoryInbox(), publisher })
 * ```
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function cloudEventsPublisher(options: CloudEventsPublisherOptions): Publisher {
  const { mode = 'structured', secret, now = Date.now, ...rest } = options
  if (!Object.hasOwn(modes, mode)) throw new TypeError('mode must be structured, binary or batch')
  const concurrency = options.concurrency ?? (mode === 'batch' ? 1 : 10)
  if (secret !== undefined && mode === 'binary') {
    throw new TypeError('Binary mode cannot be signed: the attributes are in headers that nothing signs')
  }
  const sign = secret === undefined ? {} : { sign: signer(secret, now) }
  return httpPublisher({ ...modes[mode], ...sign }, { ...rest, now, concurrency })
}
