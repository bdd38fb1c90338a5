import type { ContentPart } from '../crypto/crypto.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { MaybePromise } from '../ports/ports.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import type { Stamps } from './proof.ts'

/** What a service may cover with its signature. */
export interface SignedContent {
  /** The bytes of the body, exactly as they came in. */
  readonly body: Uint8Array
  /** The time as it was written; empty when the scheme has none. */
  readonly timestamp: string
  /** The delivery's id; empty when the scheme has none. */
  readonly id: string
  readonly method: string
  readonly headers: DeliveryHeaders
  /**
   * The public address that the sender used, with its query.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the host was not told its public address
   */
  readonly url: string
}

/**
 * The parts that are signed, one after another: bytes as they are, text as UTF-8. Nothing is ever replaced in a
 * template, where a body that holds `$&` would change.
 */
export type ContentOf = (signed: SignedContent) => MaybePromise<readonly ContentPart[]>

/** The parts of a delivery that are signed; the body alone, when the scheme says nothing else. */
export function signedParts(
  contentOf: ContentOf | undefined,
): (delivery: Delivery, body: Uint8Array, stamps: Stamps) => MaybePromise<readonly ContentPart[]> {
  if (contentOf === undefined) return (_, body) => [body]
  return (delivery, body, stamps) => contentOf(new Signed(delivery, body, stamps))
}

/** A class: an object that is written with an accessor in it takes longer to make than a short body to hash. */
class Signed implements SignedContent {
  declare readonly body: Uint8Array
  declare readonly timestamp: string
  declare readonly id: string
  declare readonly method: string
  declare readonly headers: DeliveryHeaders
  readonly #url: string | undefined

  constructor({ method, headers, url }: Delivery, body: Uint8Array, { timestamp, id }: Stamps) {
    this.body = body
    this.timestamp = timestamp
    this.id = id
    this.method = method
    this.headers = headers
    this.#url = url
  }

  get url(): string {
    if (this.#url !== undefined) return this.#url
    throw providerUnavailable('This provider signs the public address: configure it (PUBLIC_URL)')
  }
}
