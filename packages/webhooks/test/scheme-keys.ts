import type { KeyEncoding } from '../src/crypto/public-key.ts'
import type { SchemeCase, SchemeKeys } from './scheme-suite.ts'

// Uses only WebCrypto, because the cases run in every runtime.

const kinds = {
  ed25519: { name: 'Ed25519' },
  p256: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa2048: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  },
} as const

/** A secret that both signs and verifies. */
export const shared = (secret: string): SchemeKeys => ({ sign: secret, verify: secret })

/** Creates two key pairs in an encoding: the keys of the case, and other keys. */
export async function pairs(
  kind: keyof typeof kinds,
  encoding: KeyEncoding,
): Promise<Pick<SchemeCase, 'keys' | 'others' | 'unusable'>> {
  const [keys, others] = await Promise.all([generate(kind, encoding), generate(kind, encoding)])
  return { keys, others, unusable: 'not a key' }
}

async function generate(kind: keyof typeof kinds, encoding: KeyEncoding): Promise<SchemeKeys> {
  const pair = await crypto.subtle.generateKey(kinds[kind], true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('Not a key pair')
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
    crypto.subtle.exportKey('spki', pair.publicKey),
  ])
  return { sign: write(pkcs8, 'PRIVATE', encoding), verify: write(spki, 'PUBLIC', encoding) }
}

/** The raw 32 bytes of an Ed25519 key are at the end of its DER. */
function write(exported: ArrayBuffer, label: string, encoding: KeyEncoding): string {
  const der = new Uint8Array(exported)
  if (encoding === 'hex') {
    return Array.from(der.subarray(-32), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  const base64 = btoa(String.fromCharCode(...(encoding === 'base64' ? der.subarray(-32) : der)))
  if (encoding !== 'pem') return base64
  const lines = base64.match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label} KEY-----`, ...lines, `-----END ${label} KEY-----`, ''].join('\n')
}
