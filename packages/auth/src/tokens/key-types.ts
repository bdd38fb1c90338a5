import type { CryptoKey, JWK } from 'jose'

// What the package declares names no module of Node: a project for workerd has no types of them.

/** A key in a form that jose signs or verifies with. */
export type UsableKey = CryptoKey | Uint8Array | JWK

/** A `KeyObject` of `node:crypto`, by what tells it from other keys. */
export interface NodeKeyObject {
  readonly type: 'secret' | 'public' | 'private'
  readonly export: (...options: never[]) => unknown
}

/** A JSON Web Key (RFC 7517), as Node, WebCrypto and jose type it too. */
export interface JsonWebKeyInput {
  readonly kty?: string | undefined
  readonly alg?: string | undefined
  readonly kid?: string | undefined
  readonly use?: string | undefined
  readonly crv?: string | undefined
  readonly x?: string | undefined
  readonly y?: string | undefined
  readonly e?: string | undefined
  readonly n?: string | undefined
  readonly d?: string | undefined
  readonly p?: string | undefined
  readonly q?: string | undefined
  readonly dp?: string | undefined
  readonly dq?: string | undefined
  readonly qi?: string | undefined
  readonly key_ops?: readonly string[] | undefined
  // These are not looked at.
  readonly ext?: boolean | undefined
  readonly oth?: unknown
  readonly x5c?: unknown
  readonly x5t?: unknown
  readonly 'x5t#S256'?: unknown
}
