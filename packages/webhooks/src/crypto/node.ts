import { createHash, createHmac, hash, timingSafeEqual, type Hash } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'

export function prepareHmac(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => string {
  return (content) => {
    const hmac = createHmac(algorithm, key)
    for (const part of content) hmac.update(part)
    return encodeDigest(hmac, encoding)
  }
}

export function hashText(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  content: readonly ContentPart[],
): string {
  const digest = createHash(algorithm)
  for (const part of content) digest.update(part)
  return encodeDigest(digest, encoding)
}

function encodeDigest(digest: Hash | ReturnType<typeof createHmac>, encoding: DigestEncoding): string {
  return encoding === 'hex-upper' ? digest.digest('hex').toUpperCase() : digest.digest(encoding)
}

export function sha256Hex(content: Uint8Array): string {
  return hash('sha256', content, 'hex')
}

export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
