import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { ProviderChallenge } from './provider-handshake.ts'

/**
 * A property that the design of a service can exclude.
 *
 * - `signed-body`: the proof covers the body. Static tokens and basic credentials do not.
 * - `one-form`: a signature has exactly one accepted form. Services that send lists of signatures, or hexadecimal of
 *   either case, accept more.
 * - `stable-key`: idempotency keys come from fields of the body, so that another serialization has the same
 *   keys. Without this capability, the hash of the signed bytes is the key.
 */
type ProviderCapability = 'signed-body' | 'one-form' | 'stable-key'

export interface ProviderSuiteOptions {
  readonly provider: AnyProvider
  /** Real deliveries of distinct events: at least one per declared kind, and one of any kind that passes through unchanged. */
  readonly samples: readonly ProviderSample[]
  /** Real deliveries that the provider ignores. @default none */
  readonly ignored?: readonly Omit<ProviderSample, 'kind'>[]
  /**
   * Real challenges of the service, for a provider with a handshake. The provider must answer each challenge (a POST is
   * signed). A changed challenge must not produce the signature of a delivery.
   *
   * @default none: the tests put texts into the usual members of challenges
   */
  readonly challenges?: readonly ProviderChallenge[]
  /** The signing secret. @default a text of 40 characters */
  readonly secret?: string
  /** An unused secret of the same form. @default the secret with a prefix */
  readonly otherSecret?: string
  /**
   * The time of the signatures in milliseconds since the epoch. If the body contains a signed time, use that time.
   *
   * @default 2026-01-01T00:00:00Z
   */
  readonly now?: number
  /**
   * How long a captured delivery verifies, in milliseconds: the tolerance of a scheme that signs a time.
   *
   * @default unlimited
   */
  readonly toleranceMs?: number
  /** The public address, for schemes that sign it. @default none */
  readonly url?: string
  /** Encodes the JSON text of a body like the service. @default UTF-8 */
  readonly encode?: (json: string) => Uint8Array
  /**
   * Capabilities that the service lacks: their tests are left out. A provider without `key` lacks `stable-key`.
   *
   * @default none
   */
  readonly lacks?: readonly ProviderCapability[]
}

/** The options with their defaults, and shared functions. */
export interface SuiteContext extends Required<Omit<ProviderSuiteOptions, 'url' | 'toleranceMs' | 'lacks'>> {
  readonly url: string | undefined
  readonly toleranceMs: number
  readonly promises: (capability: ProviderCapability) => boolean
  /** The bytes of a sample's body. */
  readonly encodeSample: (body: unknown) => Uint8Array
}

/** A delivery as a service sends it, before it is signed. */
export interface ProviderSample {
  /** The kind of its event. */
  readonly kind: string
  /** Headers other than the signature by lower-case name, including a signed id of the delivery. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as a JSON value. */
  readonly body: unknown
}

/** Creates headers, including invalid values that an HTTP client would reject. */
export function plainHeaders(headers: Readonly<Record<string, string>>): DeliveryHeaders {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    get: (name) => byName.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => byName.entries(),
  }
}

/** Lists the lower-case names of the headers that the scheme signs. */
export function listSignedHeaders({ provider }: { readonly provider: AnyProvider }): readonly string[] {
  const { signedHeaders = [], signedIds = [] } = provider.signature
  return [...new Set([...signedHeaders, ...signedIds])]
}

export function createRequest(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  url: string | undefined,
): Delivery {
  return { method: 'POST', headers: plainHeaders(headers), body, ...(url !== undefined && { url }) }
}

export function withoutHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
}
