import type { DigestEncoding } from '../crypto/text.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { SignatureScheme, Verification } from '../ports/ports.ts'
import type { BuildContent } from './signed-content.ts'
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

/** The stamps of a delivery. A stamp is empty when the scheme does not have it. */
export interface Stamps {
  readonly timestamp: string
  readonly id: string
}

/** Reads and writes the headers of a proof. */
export interface ProofHeaders {
  readonly names: Pick<SignatureScheme, 'headers' | 'signedHeaders' | 'signedIds'>
  read(delivery: Delivery, now: number): (Stamps & Pick<Presented, 'signatures'>) | Refusal
  /** Creates the headers of a signed delivery. `signed` creates the signature for the stamps. */
  write(
    delivery: Delivery,
    now: number,
    signed: (stamps: Stamps) => Promise<string>,
  ): Promise<Readonly<Record<string, string>>>
}

/** @throws TypeError for a time or an id without `content`, an invalid header name, and an unknown encoding */
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
  // Throws for an invalid header name. workerd accepts an empty name.
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
