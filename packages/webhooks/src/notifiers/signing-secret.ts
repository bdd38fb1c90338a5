import { SallyportError } from '@sallyport/errors'
import { decodeText } from '../crypto/encoding.ts'
import type { MaybePromise } from '../ports/ports.ts'

const expected =
  'what Standard Webhooks signs with: "whsec_" and base64, or "whsk_" and a private key for Ed25519 in base64'

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
    throw new SallyportError('SECRET_UNUSABLE', `The function for the secret has to give ${expected}`)
  }
}

function isUsable(secret: unknown): boolean {
  const [, prefix, rest = ''] = /^(whsec_|whsk_|)(.*)$/s.exec(typeof secret === 'string' ? secret : '') ?? []
  // A key for Ed25519 may come with the end of its line.
  const bytes = decodeText('base64', prefix === 'whsk_' ? rest.trim() : rest)
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return false
  return prefix !== 'whsk_' || bytes.length === 32 || bytes.length === 64
}
