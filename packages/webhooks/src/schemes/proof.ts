import type { ContentPart } from '../crypto/crypto.ts'
import type { DigestEncoding } from '../crypto/encoding.ts'
import { providerUnavailable } from '../gateway/refusals.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { MaybePromise, SignatureScheme, Verification } from '../ports/ports.ts'
import { plainHeader, type Presented, type SignatureHeader } from './signature-header.ts'

/** Options of all schemes that sign content. */
export interface ProofOptions {
  /**
   * The header of the signature, a list of alternative headers, or `structuredHeader()` for a header with several fields.
   */
  readonly header: string | readonly string[] | SignatureHeader
  /** How the signature is written. */
  readonly encoding: DigestEncoding
  /** The prefix of the signature in a plain header, such as `sha256=`. @default '' */
  readonly prefix?: string
  /** The signed time: `signedTime()`. Without a time, a captured delivery verifies without a time limit. */
  readonly timestamp?: SignedStamp
  /** The signed id of the delivery: `signedId()`. */
  readonly id?: SignedStamp
  /** Builds the signed content; required with a time or an id in a header. @default the body */
  readonly content?: BuildContent
}

/** A signed value in addition to the body. */
export interface SignedStamp {
  /** The lower-case name of the header; absent when the value is in another place. */
  readonly header?: string
  /** Returns the unchanged text, or the reason of a rejection. */
  read(headers: DeliveryHeaders, presented: Presented, now: number): string | Refusal
  /** Creates the text for signing. */
  make(headers: DeliveryHeaders, now: number): string
  /** Checks the body after the signature is verified. */
  refuses?(body: Uint8Array, now: number): Refusal | undefined
}

export type Refusal = Extract<Verification, { verified: false }>

export const refusal = (reason: Refusal['reason']): Refusal => ({ verified: false, reason })

/** @throws TypeError for an invalid header name */
export function requireHeaderName(name: string | undefined): void {
  // workerd accepts an empty name.
  new Headers().has(name || ':')
}

/** The stamps of a delivery. A stamp is empty when the scheme does not have it. */
interface Stamps {
  readonly timestamp: string
  readonly id: string
}

/** Reads and writes the headers of a proof, and builds the signed content. */
export interface Proof {
  readonly names: Pick<SignatureScheme, 'headers' | 'signedHeaders' | 'signedIds'>
  read(delivery: Delivery, now: number): (Stamps & Pick<Presented, 'signatures'>) | Refusal
  /** Builds the signed parts of a delivery. The default content is the body. */
  content(delivery: Delivery, body: Uint8Array, stamps: Stamps): MaybePromise<readonly ContentPart[]>
  /** Creates the headers of a signed delivery. `sign` creates the signature of the content. */
  write(
    delivery: Delivery,
    body: Uint8Array,
    now: number,
    sign: (content: readonly ContentPart[]) => MaybePromise<string>,
  ): Promise<Readonly<Record<string, string>>>
}

/** @throws TypeError for a time or an id without `content`, an invalid header name, and an unknown encoding */
export function createProof(options: ProofOptions): Proof {
  const { header, encoding, prefix = '', timestamp: time, id, content: buildContent } = options
  if (!['hex', 'base64', 'base64url'].includes(encoding))
    throw new TypeError('encoding must be hex, base64 or base64url')
  const isOutsideBody = id ?? (time && !time.refuses)
  if (isOutsideBody && !buildContent) throw new TypeError('content must have the time or id')
  const signature = typeof header === 'object' && 'read' in header ? header : plainHeader(header, prefix)
  const signedIds = [id?.header ?? []].flat()
  const signedHeaders = [time?.header ?? [], signedIds].flat()
  const headers = [signature.names, signedHeaders].flat()
  for (const name of [signature.names[0], ...headers]) requireHeaderName(name)

  const content: Proof['content'] = ({ method, headers, url }, body, { timestamp, id }) => {
    if (buildContent === undefined) return [body]
    return buildContent({
      body,
      timestamp,
      id,
      method,
      headers,
      get url() {
        if (url !== undefined) return url
        throw providerUnavailable('This provider signs the public URL: set PUBLIC_URL')
      },
    })
  }

  return {
    names: { headers, signedHeaders, signedIds },
    content,

    read({ headers }, now) {
      const presented = signature.read(headers)
      if (typeof presented === 'string') return refusal(presented)
      const timestampText = time?.read(headers, presented, now) ?? ''
      if (typeof timestampText !== 'string') return timestampText
      const idText = id?.read(headers, presented, now) ?? ''
      if (typeof idText !== 'string') return idText
      return { ...presented, timestamp: timestampText, id: idText }
    },

    async write(delivery, body, now, sign) {
      const { headers } = delivery
      const stamps = { timestamp: time?.make(headers, now) ?? '', id: id?.make(headers, now) ?? '' }
      const text = await sign(await content(delivery, body, stamps))
      return {
        ...(id?.header && { [id.header]: stamps.id }),
        ...(time?.header && { [time.header]: stamps.timestamp }),
        ...signature.write(text, stamps.timestamp),
      }
    },
  }
}

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
