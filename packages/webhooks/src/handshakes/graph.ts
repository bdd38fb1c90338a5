import type { Handshake } from '../provider/provider.ts'

/** Printable ASCII without HTML special characters. The tokens are sentences with colons. */
const harmless = /^[ !#-%(-;=?-~]{1,1024}$/

/**
 * The validation of a Microsoft Graph subscription: a POST without a body, whose `validationToken` in the query is
 * answered decoded, as text.
 *
 * Graph does not sign the request, so every client gets an answer. A request with a body is always a delivery.
 *
 * @example
 * ```ts
 * import { graphHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = graphHandshake()
 * ```
 *
 * @see https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export function graphHandshake(): Handshake {
  return {
    methods: ['POST'],
    answer({ query, body }) {
      const token = query.get('validationToken')
      if (token === null || body.length > 0 || !harmless.test(token)) return undefined
      return { contentType: 'text/plain', body: token }
    },
  }
}
