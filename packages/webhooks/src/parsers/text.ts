import { decodeText } from '../crypto/encoding.ts'
import type { LargeIntegers } from './large-integers.ts'
import { parseJson } from './parse-json.ts'
import { invalidJson } from '../ports/refusals.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the body as text, for XML and other formats that the provider passes on. Use the function as `parse` of a provider.
 *
 * @throws SallyportError `INVALID_JSON` (400) for a body that is not UTF-8
 */
export function parseText(body: Uint8Array): string {
  try {
    return decoder.decode(body)
  } catch {
    throw invalidJson('The body is not text in UTF-8')
  }
}

/** The limit of a token, which is the largest body of the services that send tokens. */
const maximumToken = 1024 * 1024

/**
 * Returns the claims of a JSON Web Token without a verification. Use the function as `parse` of a provider whose scheme verifies
 * the token in the body, and for tokens inside of a verified payload.
 *
 * @param token the compact form, as text or as a body
 * @throws SallyportError `INVALID_JSON` (400) for a text that is not a token
 */
export function parseJwtClaims(token: string | Uint8Array, largeIntegers?: LargeIntegers): unknown {
  const text = typeof token === 'string' ? token : parseText(token)
  const [, payload = '', , more] = text.trim().split('.', 4)
  const bytes = more === undefined ? decodeText('base64url', payload, maximumToken) : undefined
  if (bytes === undefined) throw invalidJson('The body is not a JSON Web Token')
  return parseJson(bytes, largeIntegers)
}
