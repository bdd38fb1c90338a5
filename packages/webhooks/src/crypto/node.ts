import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'

export function prepareHmac(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => string {
  return (content) => {
    const hmac = createHmac(algorithm, key)
    for (const part of content) hmac.update(part)
    return hmac.digest(encoding)
  }
}

export function sha256Hex(content: Uint8Array): string {
  return hash('sha256', content, 'hex')
}

export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
