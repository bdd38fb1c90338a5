import type { Handshake } from '../provider/provider.ts'
import { isPlain } from './echo.ts'

const header = 'x-okta-verification-challenge'

/**
 * The one-time verification of an Okta event hook: a GET whose header `x-okta-verification-challenge` is answered as
 * `{ "verification": … }`.
 *
 * @example
 * ```ts
 * import { oktaHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = oktaHandshake()
 * ```
 *
 * @see https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request
 */
export function oktaHandshake(): Handshake {
  return {
    methods: ['GET'],
    answer({ headers }) {
      const verification = headers.get(header)
      if (!isPlain(verification)) return undefined
      return { contentType: 'application/json', body: JSON.stringify({ verification }) }
    },
  }
}
