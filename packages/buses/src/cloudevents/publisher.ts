import type { MaybePromise, Publisher } from '@sallyport/webhooks'
import { createHttpPublisher, type HttpPublisherOptions } from '@sallyport/webhooks/http'
import { modes } from './modes.ts'
import { createSigner } from './signature.ts'

export interface CloudEventsPublisherOptions extends HttpPublisherOptions {
  /**
   * The content mode: `structured` sends one JSON document per event, `binary` sends the attributes in headers, and
   * `batch` sends many events in one JSON document. Not every receiver supports `batch`.
   *
   * @default 'structured'
   */
  readonly mode?: 'structured' | 'binary' | 'batch'
  /**
   * Signs the bodies with Standard Webhooks: `whsec_` and base64, or `whsk_` and an Ed25519 key in base64. A function is
   * called for every request. While it returns an unusable secret, events fail with `SECRET_UNUSABLE` and are retried.
   * Binary mode cannot be signed, because its ids and types are in unsigned headers.
   */
  readonly secret?: string | (() => MaybePromise<string>)
  /**
   * Concurrent requests per batch. With 1, events arrive in order.
   *
   * @default 10, and 1 in batch mode
   */
  readonly concurrency?: number
}

/**
 * Creates a publisher that sends events as CloudEvents 1.0 over HTTP.
 *
 * A status from 200 to 299 means that the event is published; the response body is ignored. All other results are those
 * of {@link createHttpPublisher}. HTTP has no deduplication: an event can arrive more than once, with the same `source` and
 * `id`.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, if a header, a limit, the timeout or the
 *   mode is invalid, if `secret` is an unusable string, or if binary mode has a secret
 *
 * @example
 * ```ts
 * import { createCloudEventsPublisher } from '@sallyport/buses/cloudevents'
 * import { createDispatcher, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const publisher = createCloudEventsPublisher({ url: 'https://broker.example.com/default', mode: 'binary' })
 * export const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function createCloudEventsPublisher(options: CloudEventsPublisherOptions): Publisher {
  const { mode = 'structured', secret, now = Date.now, ...rest } = options
  if (!Object.hasOwn(modes, mode)) throw new TypeError('mode must be structured, binary or batch')
  const concurrency = options.concurrency ?? (mode === 'batch' ? 1 : 10)
  if (secret !== undefined && mode === 'binary') {
    throw new TypeError('Binary mode cannot be signed: remove secret, or use the mode structured or batch')
  }
  const sign = secret === undefined ? {} : { sign: createSigner(secret, now) }
  return createHttpPublisher({ ...modes[mode], ...sign }, { ...rest, now, concurrency })
}
