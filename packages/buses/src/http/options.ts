import type { AnyProvider, WebhookEvent } from '@sallyport/webhooks'
import type { TlsOptions } from './agent.ts'
import type { NetworkOptions } from './network.ts'
import type { RetryOptions } from './retry-delays.ts'
import type { DestinationSecrets } from './sign.ts'
import type { StatusOptions } from './statuses.ts'

interface CommonOptions {
  /** The name in operations: up to 64 lower-case letters, digits, dots, hyphens and underscores. @default the host of `url` */
  readonly name?: string | undefined
  /** An `https:` URL without credentials; `http:` needs `network.allowPrivate`. No error contains the URL, which can hold a key. */
  readonly url: string
  /**
   * The secrets that sign, the newest first: one, or several while they rotate. Standard Webhooks takes `whsec_` and base64, or
   * `whsk_` and an Ed25519 key in base64.
   */
  readonly secrets: DestinationSecrets
  /** Further headers, such as `authorization`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether the destination receives an event, such as the result of `createEventFilter`. @default all events */
  readonly filter?: ((event: WebhookEvent) => boolean) | undefined
  /**
   * Paths of values that the destination does not receive, such as `data.object.email`, `**.email` or, in original mode,
   * `header:x-email`. `createWebhooks` applies them, and `publish` of event mode; the inbox keeps the values. @default []
   */
  readonly redact?: readonly string[] | undefined
  /** Events with one subject, or of one endpoint, are sent in order. @default 'none' */
  readonly order?: 'subject' | 'endpoint' | 'none' | undefined
  /** The largest number of concurrent requests. @default 10 */
  readonly concurrency?: number | undefined
  /** The largest number of requests a second, of all processes. @default no limit */
  readonly ratePerSecond?: number | undefined
  /** Timeout of a request and its response, in milliseconds. @default 15,000 */
  readonly timeoutMs?: number | undefined
  /** @default growing delays from 5 seconds to 6 hours, for 3 days */
  readonly retry?: RetryOptions | undefined
  /** The age at which a message is not sent any more, in milliseconds. @default no limit */
  readonly maxAgeMs?: number | undefined
  /** The meaning of statuses. @default 2xx is a success, 410 is gone, and every other status is retried */
  readonly statuses?: StatusOptions | undefined
  readonly tls?: TlsOptions | undefined
  readonly network?: NetworkOptions | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Milliseconds of a clock that only advances, for durations. @default performance.now */
  readonly monotonic?: (() => number) | undefined
}

/** A destination that receives one request per event. */
export interface EventDestinationOptions extends CommonOptions {
  readonly mode: 'event'
  /** `standard-webhooks` sends the event as JSON, `cloudevents` sends it as a structured CloudEvent. @default 'standard-webhooks' */
  readonly format?: 'standard-webhooks' | 'cloudevents' | undefined
}

/** A destination that receives one request per delivery, with the body as received. */
export interface OriginalDestinationOptions extends CommonOptions {
  readonly mode: 'original'
  /**
   * `provider` signs as the service of the delivery does, so that code with the library of the service verifies with the secret
   * of the destination. Only services with a shared secret are possible.
   *
   * @default 'standard-webhooks'
   */
  readonly sign?: 'standard-webhooks' | 'provider' | undefined
  /** The providers whose deliveries `sign: 'provider'` signs. @default [] */
  readonly providers?: readonly AnyProvider[] | undefined
  /** The names of received headers that are sent, beside `content-type`. @default all, without credentials and headers of a hop */
  readonly allowHeaders?: readonly string[] | undefined
  /** Whether the received query is appended to the query of the URL, without credentials. @default false */
  readonly query?: boolean | undefined
}

export type HttpDestinationOptions = EventDestinationOptions | OriginalDestinationOptions
