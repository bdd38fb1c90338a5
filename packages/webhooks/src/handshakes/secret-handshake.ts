import type { Handshake } from '../provider/provider.ts'
import { jsonField } from '../schemes/body-fields.ts'
import { isPlain } from './echo.ts'
import { maximumChallengeBytes } from './match.ts'

/**
 * A handshake of a service that posts its secret as a member of a JSON body, without a signature. An operator reads the secret
 * once and enters it at the service. The answer is empty.
 *
 * The secret is 1 to 512 letters, digits and `_.~+/=-`. A body with more than 4096 bytes is a delivery, and so is a body with
 * the member `kind`, which each delivery has.
 *
 * @example
 * ```ts
 * import { secretHandshake } from '@sallyport/webhooks/handshakes'
 *
 * export const handshake = secretHandshake({ json: 'verification_token', kind: 'type' })
 * ```
 */
export function secretHandshake({ json, kind }: { readonly json: string; readonly kind: string }): Handshake {
  return {
    methods: ['POST'],
    establishesSecret: true,
    answer({ body }) {
      if (body.length > maximumChallengeBytes || jsonField(body, kind) !== undefined) return undefined
      const secret = jsonField(body, json)
      if (!isPlain(secret)) return undefined
      return { contentType: 'text/plain', body: '', establishes: secret, isReadOnce: true }
    },
  }
}
