import type { ContentPart, HmacAlgorithm } from './crypto.ts'
import { encodeBytes, joinBytes, utf8, type DigestEncoding } from './encoding.ts'

export function prepareHmac(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => Promise<string> {
  const parameters = { name: 'HMAC', hash: hashName(algorithm) }
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (content) => {
    // A promise created earlier could reject before a caller awaits it.
    imported ??= crypto.subtle.importKey('raw', joinBytes([key]), parameters, false, ['sign'])
    const signature = await crypto.subtle.sign('HMAC', await imported, joinBytes(content))
    return encodeBytes(encoding, new Uint8Array(signature))
  }
}

export async function hashText(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  content: readonly ContentPart[],
): Promise<string> {
  const digest = await crypto.subtle.digest(hashName(algorithm), joinBytes(content))
  return encodeBytes(encoding, new Uint8Array(digest))
}

/** @throws TypeError for MD5, which WebCrypto does not have */
function hashName(algorithm: HmacAlgorithm): string {
  if (algorithm === 'md5') throw new TypeError('MD5 needs Node: WebCrypto does not have MD5')
  return algorithm.replace('sha', 'SHA-')
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
