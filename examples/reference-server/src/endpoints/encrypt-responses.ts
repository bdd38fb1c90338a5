import type { IdempotencyStore } from '@sallyport/rest/store'
import type { SecretCipher } from '@sallyport/webhooks/endpoints'

/**
 * Encrypts the bodies of stored responses: the response to the creation of an endpoint contains a secret. Bodies that were
 * stored without encryption stay readable.
 */
export function encryptResponses(store: IdempotencyStore, cipher: SecretCipher): IdempotencyStore {
  return {
    ...store,
    async claim(request) {
      const claim = await store.claim(request)
      if (claim.state !== 'completed' || claim.response.body?.startsWith(encryptedPrefix) !== true)
        return claim
      const body = await cipher.decrypt(claim.response.body, request.key)
      return { ...claim, response: { ...claim.response, body } }
    },
    async complete({ response, ...request }) {
      const body = response.body === null ? null : await cipher.encrypt(response.body, request.key)
      return await store.complete({ ...request, response: { ...response, body } })
    },
  }
}

/** Other bodies are JSON. */
const encryptedPrefix = 'v1.'
