import type { ContentPart } from '../crypto/crypto.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { MaybePromise } from '../ports/ports.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import type { Stamps } from './proof.ts'

/** The values that a service can sign. */
export interface SignedContent {
  /** The unchanged bytes of the body. */
  readonly body: Uint8Array
  /** The unchanged text of the time; empty when the scheme has no time. */
  readonly timestamp: string
  /** The delivery's id; empty when the scheme has no id. */
  readonly id: string
  readonly method: string
  readonly headers: DeliveryHeaders
  /**
   * The public URL that the sender used, with the query.
   *
   * @throws SallyportError `PROVIDER_UNAVAILABLE` (503) when the public URL is not configured
   */
  readonly url: string
}

/**
 * Builds the signed content as a list of parts: bytes, or text in UTF-8. A template string could change a body that
 * contains `$&`.
 */
export type BuildContent = (signed: SignedContent) => MaybePromise<readonly ContentPart[]>

/** Returns a function that builds the signed parts of a delivery. The default content is the body. */
export function createContentBuilder(
  buildContent: BuildContent | undefined,
): (delivery: Delivery, body: Uint8Array, stamps: Stamps) => MaybePromise<readonly ContentPart[]> {
  if (buildContent === undefined) return (_, body) => [body]
  return (delivery, body, stamps) => buildContent(new SignedParts(delivery, body, stamps))
}

/** A class, since an object literal with an accessor takes longer to create than the hash of a short body. */
class SignedParts implements SignedContent {
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
    throw providerUnavailable('This provider signs the public URL: set PUBLIC_URL')
  }
}
