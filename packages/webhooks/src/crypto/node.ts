import { hash, timingSafeEqual } from 'node:crypto'

export { prepareHmac } from './node-hmac.ts'

export function sha256Hex(content: Uint8Array): string {
  return hash('sha256', content, 'hex')
}

export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
