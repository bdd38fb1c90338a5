import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'
import { keyCache } from './key-cache.ts'

const cached = keyCache<KeyObject>()

export function hmacText(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
  content: readonly ContentPart[],
): string {
  const computation = createHmac(algorithm, typeof key === 'string' ? secretKey(key) : key)
  for (const part of content) computation.update(part)
  return computation.digest(encoding)
}

export function sha256Hex(content: Uint8Array): string {
  return hash('sha256', content, 'hex')
}

export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function secretKey(secret: string): KeyObject {
  return cached(secret, () => createSecretKey(secret, 'utf8'))
}
