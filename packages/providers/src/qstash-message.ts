import { parseJson, parseText, type LargeIntegers } from '@sallyport/webhooks'
import { encodeBase64 } from './base64.ts'

/** The SHA-256 of a body as QStash writes it: in base64url with padding. */
export async function hashMessage(body: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', Uint8Array.from(body))
  return encodeBase64(new Uint8Array(hash)).replaceAll('+', '-').replaceAll('/', '_')
}

/** Reads the body of a message: JSON, or any other text that the publisher sends. */
export function readMessage(body: Uint8Array, integers?: LargeIntegers): unknown {
  try {
    return parseJson(body, integers)
  } catch {
    return parseText(body)
  }
}
