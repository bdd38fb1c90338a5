import type { CryptoKey, JWK } from 'jose'

// Public types do not import node: modules because projects for workerd have no types of them.

/** A key that jose can use. */
export type UsableKey = CryptoKey | Uint8Array | JWK

/** The distinguishing members of a `KeyObject` of `node:crypto`. */
export interface NodeKeyObject {
  readonly type: 'secret' | 'public' | 'private'
  readonly export: (...options: never[]) => unknown
}

/** A JSON Web Key (RFC 7517), compatible with the types of Node.js, WebCrypto and jose. */
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
  // Ignored members.
  readonly ext?: boolean | undefined
  readonly oth?: unknown
  readonly x5c?: unknown
  readonly x5t?: unknown
  readonly 'x5t#S256'?: unknown
}
