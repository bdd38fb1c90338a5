import type { StoredResponse } from './idempotency-store.ts'
import type { IdempotentRequest, IdempotentRunner } from './idempotency.ts'

/** Encrypts texts. A text decrypts only with the context that it was encrypted with. */
export interface ResponseCipher {
  readonly encrypt: (text: string, context: string) => string | Promise<string>
  /** @throws Error for another context, and for a text that no key decrypts */
  readonly decrypt: (encrypted: string, context: string) => string | Promise<string>
}

/**
 * Encrypts the bodies of responses before an idempotency store saves them. The bodies of errors stay readable: errors
 * contain no secrets.
 */
export function encryptResponses(idempotent: IdempotentRunner, cipher: ResponseCipher): IdempotentRunner {
  return async (request, run) => {
    const context = describeRequest(request)
    const encrypted = new Map<StoredResponse, Promise<StoredResponse>>()
    const originals = new Map<StoredResponse, StoredResponse>()

    async function createEncrypted(response: StoredResponse): Promise<StoredResponse> {
      if (response.body === null || response.status >= 400) return response
      const copy = { ...response, body: await cipher.encrypt(response.body, context) }
      originals.set(copy, response)
      return copy
    }
    // The runner recognizes a saved response by its identity.
    const encrypt = async (response: StoredResponse): Promise<StoredResponse> => {
      const copy = encrypted.get(response) ?? createEncrypted(response)
      encrypted.set(response, copy)
      return await copy
    }

    const { response, replayed } = await idempotent(request, async (save) => {
      return await encrypt(
        await run(async (given, store) => {
          await save(await encrypt(given), store)
        }),
      )
    })
    const original = originals.get(response)
    if (original !== undefined || response.body === null || response.status >= 400)
      return { response: original ?? response, replayed }
    return { response: { ...response, body: await cipher.decrypt(response.body, context) }, replayed }
  }
}

/** JSON separates the parts unambiguously. */
const describeRequest = ({ scope, method, path, idempotencyKey }: IdempotentRequest): string =>
  JSON.stringify([scope, method, path, idempotencyKey])
