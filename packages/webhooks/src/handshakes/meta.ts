import type { Handshake } from '../provider/provider.ts'
import { matchesAny } from '../schemes/credentials.ts'
import { isSecret } from '../schemes/keys.ts'
import { echo } from './echo.ts'

export interface MetaHandshakeOptions {
  /**
   * The verify token from the configuration of the webhook, or several during a rotation. URLs and proxy logs contain the
   * token: do not use the app secret, which signs deliveries.
   */
  readonly verifyToken: string | readonly string[]
}

/**
 * The verification request of Facebook, Instagram and WhatsApp: a GET with `hub.mode=subscribe`, whose `hub.challenge` is
 * echoed when its `hub.verify_token` is the configured one, compared in constant time.
 *
 * @throws TypeError for an empty list, and for a verify token that is empty or not a string
 *
 * @example
 * ```ts
 * import { metaHandshake } from '@sallyport/webhooks/handshakes'
 *
 * declare const verifyToken: string
 * export const handshake = metaHandshake({ verifyToken })
 * ```
 *
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
export function metaHandshake(options: MetaHandshakeOptions): Handshake {
  const tokens = [options.verifyToken].flat()
  if (tokens.length === 0 || !tokens.every(isSecret)) {
    throw new TypeError('verifyToken must be text that is not empty')
  }

  return {
    methods: ['GET'],
    async answer({ query }) {
      const presented = query.get('hub.verify_token')
      if (query.get('hub.mode') !== 'subscribe' || presented === null) return undefined
      return (await matchesAny(presented, tokens)) ? echo(query.get('hub.challenge')) : undefined
    },
  }
}
