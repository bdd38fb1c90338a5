import type { Handshake } from '../provider/provider.ts'

export interface CloudEventsHandshakeOptions {
  /** The senders that may send deliveries, such as `eventgrid.azure.net`: values of `webhook-request-origin`. */
  readonly origins: readonly string[]
  /** The permitted deliveries per minute, for a sender that asks for a rate. @default no limit, `*` */
  readonly rate?: number
}

/**
 * The abuse protection of CloudEvents webhooks: an OPTIONS request with `webhook-request-origin`, which is answered with
 * `webhook-allowed-origin` for a listed sender.
 *
 * @throws TypeError for an empty list of origins
 *
 * @example
 * ```ts
 * import { cloudEventsHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = cloudEventsHandshake({ origins: ['eventgrid.azure.net'] })
 * ```
 *
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md
 */
export function cloudEventsHandshake({ origins, rate }: CloudEventsHandshakeOptions): Handshake {
  if (origins.length === 0) throw new TypeError('origins must name at least one sender')
  return {
    methods: ['OPTIONS'],
    answer({ headers }) {
      const origin = headers.get('webhook-request-origin')?.toLowerCase()
      if (origin === undefined || !origins.some((one) => one.toLowerCase() === origin)) return undefined
      return {
        contentType: 'text/plain',
        body: '',
        headers: {
          'webhook-allowed-origin': origin,
          'webhook-allowed-rate': String(rate ?? '*'),
          allow: 'POST, OPTIONS',
        },
      }
    },
  }
}
