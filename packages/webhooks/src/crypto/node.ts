import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import type { ContentPart, DigestEncoding, HmacAlgorithm } from './crypto.ts'

export function hmacOf(
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  key: ContentPart,
): (content: readonly ContentPart[]) => string {
  const imported = typeof key === 'string' ? createSecretKey(key, 'utf8') : createSecretKey(key)
  return (content) => {
    const computation = createHmac(algorithm, imported)
    for (const part of content) computation.update(part)
    return computation.digest(encoding)
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
