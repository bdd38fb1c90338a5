import type { ContentPart, HmacAlgorithm } from './crypto.ts'
import { encodeBytes, joinBytes, utf8, type DigestEncoding } from './encoding.ts'

export function prepareHmac(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => Promise<string> {
  const parameters = { name: 'HMAC', hash: algorithm.replace('sha', 'SHA-') }
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (content) => {
    // A promise created earlier could reject before a caller awaits it.
    imported ??= crypto.subtle.importKey('raw', joinBytes([key]), parameters, false, ['sign'])
    const signature = await crypto.subtle.sign('HMAC', await imported, joinBytes(content))
    return encodeBytes(encoding, new Uint8Array(signature))
  }
}

export async function sha256Hex(content: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', content)
  return encodeBytes('hex', new Uint8Array(digest))
}

export function equalText(a: string, b: string): boolean {
  const left = utf8(a)
  const right = utf8(b)
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) {
    difference |= (left[index] as number) ^ (right[index] as number)
  }
  return difference === 0
}
