import type { EcdsaOptions } from './ecdsa.ts'
import type { Ed25519Options } from './ed25519.ts'
import type { HashOptions } from './hash.ts'
import type { HmacOptions } from './hmac.ts'
import type { RsaOptions } from './rsa.ts'
import type { SharedTokenOptions } from './credentials.ts'
import type { DigestEncoding } from '../crypto/encoding.ts'
import type { ProofOptions } from './proof.ts'

/** The function that created a scheme, with its options: a catalogue describes the scheme by them. */
export type SchemeDescription =
  | { readonly scheme: 'hmac'; readonly options: HmacOptions }
  | { readonly scheme: 'hash'; readonly options: HashOptions }
  | { readonly scheme: 'rsa'; readonly options: RsaOptions }
  | { readonly scheme: 'ecdsa'; readonly options: EcdsaOptions }
  | { readonly scheme: 'ed25519'; readonly options: Ed25519Options }
  | { readonly scheme: 'jwt'; readonly options: TokenDescription }
  | { readonly scheme: 'detached-jws'; readonly options: DetachedJwsDescription }
  | { readonly scheme: 'certificate-chain'; readonly options: { readonly field: string } }
  | { readonly scheme: 'sns'; readonly options: { readonly toleranceSeconds?: number } }
  | { readonly scheme: 'token'; readonly options: SharedTokenOptions }
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'query-token'; readonly options: { readonly name: string } }
  | { readonly scheme: 'body-token'; readonly options: { readonly path: string } }

/** The options of `jwt` without its keys. */
interface TokenDescription {
  readonly header?: string
  readonly prefix?: string
  readonly claim?: string | false
  readonly claimEncoding?: DigestEncoding
  readonly algorithms: readonly string[]
  readonly toleranceSeconds?: number
  readonly requiredClaims?: readonly string[]
}

/** The options of `detachedJws` without its keys. */
interface DetachedJwsDescription extends Omit<ProofOptions, 'encoding' | 'header'> {
  readonly header: string
  readonly algorithms: readonly string[]
}
