import type { DigestEncoding } from '../crypto/text.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { SignatureScheme, Verification } from '../ports/ports.ts'
import type { ContentOf } from './signed-content.ts'
import { plainHeader, type Presented, type SignatureHeader } from './signature-header.ts'

/** What schemes that sign a content have in common: where the proof is found, and what it covers. */
export interface ProofOptions {
  /**
   * The header that carries the signature; several names when it may be in any of them; `structuredHeader()` when there
   * is more in it.
   */
  readonly header: string | readonly string[] | SignatureHeader
  /** How the signature is written. */
  readonly encoding: DigestEncoding
  /** What stands before the signature in a plain header, such as `sha256=`. @default nothing */
  readonly prefix?: string
  /** The time that is signed: `signedTime()`. @default none: a captured delivery verifies for ever */
  readonly timestamp?: SignedStamp
  /** The delivery's id, where it is signed: `signedId()`. @default none */
  readonly id?: SignedStamp
  /** What is signed; required where there is a time or an id beside the body. @default the body */
  readonly content?: ContentOf
}

/** Something that is signed beside the body. */
export interface SignedStamp {
  /** Lower-case name of its header; none when it stands elsewhere. */
  readonly header?: string
  /** Its text as it was written, or why the delivery is refused. */
  read(headers: DeliveryHeaders, presented: Presented, now: number): string | Refusal
  /** The text for a delivery that is signed here. */
  make(headers: DeliveryHeaders, now: number): string
  /** Why a body is refused whose signature holds. */
  refuses?(body: Uint8Array, now: number): Refusal | undefined
}

export type Refusal = Extract<Verification, { verified: false }>

export const refusal = (reason: Refusal['reason']): Refusal => ({ verified: false, reason })

/** The stamps of a delivery, each empty when the scheme has none. */
export interface Stamps {
  readonly timestamp: string
  readonly id: string
}

/** Reads and writes the headers of a proof. */
export interface ProofHeaders {
  readonly names: Pick<SignatureScheme, 'headers' | 'signedHeaders' | 'signedIds'>
  read(delivery: Delivery, now: number): (Stamps & Pick<Presented, 'signatures'>) | Refusal
  /** The headers of a delivery that is signed here; `signed` gives the signature over its stamps and the rest. */
  write(
    delivery: Delivery,
    now: number,
    signed: (stamps: Stamps) => Promise<string>,
  ): Promise<Readonly<Record<string, string>>>
}

/** @throws TypeError when a time or an id would not be signed, a header has no valid name, or the encoding is none */
export function proofHeaders(options: ProofOptions): ProofHeaders {
  const { header, encoding, prefix = '', timestamp: time, id } = options
  if (!['hex', 'base64', 'base64url'].includes(encoding))
    throw new TypeError('encoding must be hex, base64 or base64url')
  const isOutsideBody = id ?? (time && !time.refuses)
  if (isOutsideBody && !options.content) {
    throw new TypeError('content must have the time or id')
  }
  const signature = typeof header === 'object' && 'read' in header ? header : plainHeader(header, prefix)
  const signedIds = [id?.header ?? []].flat()
  const signedHeaders = [time?.header ?? [], signedIds].flat()
  const headers = [signature.names, signedHeaders].flat()
  // It throws where no header can be called so; workerd takes nothing for a name.
  for (const name of [signature.names[0], ...headers]) new Headers().has(name || ':')

  return {
    names: { headers, signedHeaders, signedIds },

    read({ headers }, now) {
      const presented = signature.read(headers)
      if (typeof presented === 'string') return refusal(presented)
      const timestampText = time?.read(headers, presented, now) ?? ''
      if (typeof timestampText !== 'string') return timestampText
      const idText = id?.read(headers, presented, now) ?? ''
      if (typeof idText !== 'string') return idText
      return { ...presented, timestamp: timestampText, id: idText }
    },

    async write({ headers }, now, signed) {
      const stamps = { timestamp: time?.make(headers, now) ?? '', id: id?.make(headers, now) ?? '' }
      return {
        ...(id?.header && { [id.header]: stamps.id }),
        ...(time?.header && { [time.header]: stamps.timestamp }),
        ...signature.write(await signed(stamps), stamps.timestamp),
      }
    },
  }
}
