import { base64Secret, type MaybePromise } from '@sallyport/webhooks'

const expected =
  'what Standard Webhooks signs with: "whsec_" and base64, or "whsk_" and a private key for Ed25519 in base64'

const [symmetric, privateKey] = [base64Secret('whsec_'), base64Secret('whsk_')]

/**
 * What gives a secret that signs: text is looked at now, and what a function gives whenever it is asked. Neither error
 * shows anything of it.
 *
 * @throws TypeError for a text that signs nothing, such as an empty one; the function rejects with `SECRET_UNUSABLE`
 */
export function signingSecret(secret: string | (() => MaybePromise<string>)): () => Promise<string> {
  if (typeof secret !== 'function') {
    if (!isUsable(secret)) throw new TypeError(`secret must be ${expected}`)
    return () => Promise.resolve(secret)
  }
  return async () => {
    const given = await secret()
    if (isUsable(given)) return given
    const error = new TypeError(`The function for the secret has to give ${expected}`)
    throw Object.assign(error, { code: 'SECRET_UNUSABLE' })
  }
}

function isUsable(secret: unknown): boolean {
  if (typeof secret !== 'string') return false
  try {
    // A key for Ed25519 may come with the end of its line.
    const isPrivate = secret.startsWith('whsk_')
    const { length } = isPrivate ? privateKey(secret.trim()) : symmetric(secret)
    return !isPrivate || length === 32 || length === 64
  } catch {
    return false
  }
}
