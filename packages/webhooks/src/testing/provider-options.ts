import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { ProviderChallenge } from './provider-handshake.ts'

/**
 * What a service's own design may keep a provider from promising.
 *
 * - `signed-body`: the proof covers the body. Static tokens and basic credentials do not.
 * - `one-form`: a signature has exactly one accepted form. Services that send lists of signatures, or hexadecimal of
 *   either case, accept more.
 * - `stable-key`: idempotency keys come from fields of the body, so that they outlive another serialization of it.
 *   Without one, the hash of the signed bytes is the key.
 */
export type ProviderCapability = 'signed-body' | 'one-form' | 'stable-key'

export interface ProviderSuiteOptions {
  readonly provider: AnyProvider
  /** Real deliveries, at least one of each kind, each another event. */
  readonly samples: readonly ProviderSample[]
  /** Real deliveries that the provider ignores. @default none */
  readonly ignored?: readonly Omit<ProviderSample, 'kind'>[]
  /**
   * Real challenges of the service, for a provider with a handshake: each has to be answered, signed where it is a POST,
   * and none that a stranger has changed may have a delivery signed.
   *
   * @default none: texts are tried where challenges usually stand
   */
  readonly challenges?: readonly ProviderChallenge[]
  /** The signing secret. @default a text of 40 characters */
  readonly secret?: string
  /** An unused secret of the same form. @default the secret with a prefix */
  readonly otherSecret?: string
  /**
   * Milliseconds since the epoch at which everything is signed: the time in the samples, where the body holds a signed
   * one.
   *
   * @default 2026-01-01T00:00:00Z
   */
  readonly now?: number
  /**
   * How long a captured delivery verifies, in milliseconds: the tolerance of a scheme that signs a time.
   *
   * @default for ever
   */
  readonly toleranceMs?: number
  /** The public address, for schemes that sign it. @default none */
  readonly url?: string
  /** The bytes that the service makes of a body's JSON text. @default UTF-8 */
  readonly encode?: (json: string) => Uint8Array
  /** Capabilities that the service lacks. @default none */
  readonly lacks?: readonly ProviderCapability[]
}

/** The options with their defaults, and what the parts of the suite share. */
export interface SuiteContext extends Required<Omit<ProviderSuiteOptions, 'url' | 'toleranceMs' | 'lacks'>> {
  readonly url: string | undefined
  readonly toleranceMs: number
  readonly promises: (capability: ProviderCapability) => boolean
  /** The bytes of a sample's body. */
  readonly bytesOf: (body: unknown) => Uint8Array
}

/** A delivery as a service sends it, before it is signed. */
export interface ProviderSample {
  /** The kind of event that is in it. */
  readonly kind: string
  /** Headers that the service sends beside its signature, by lower-case name; a signed id of the delivery among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as a JSON value. */
  readonly body: unknown
}

/** Headers by lower-case name, in any form: also in those that an HTTP client would refuse to send. */
export function plainHeaders(headers: Readonly<Record<string, string>>): DeliveryHeaders {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    get: (name) => byName.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => byName.entries(),
  }
}

/** The headers, in lower case, that a scheme calls signed: they are content. */
export function signedNamesOf({ provider }: { readonly provider: AnyProvider }): readonly string[] {
  const { signedHeaders = [], signedIds = [] } = provider.signature
  return [...new Set([...signedHeaders, ...signedIds])]
}

/** A request with these headers and this body. */
export function deliveryOf(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  url: string | undefined,
): Delivery {
  return { method: 'POST', headers: plainHeaders(headers), body, ...(url !== undefined && { url }) }
}

/** The headers but one. */
export function withoutHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
}
