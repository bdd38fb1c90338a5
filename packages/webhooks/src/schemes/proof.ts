import type { ContentPart } from '../crypto/crypto.ts'
import { requireEncoding, type DigestEncoding } from '../crypto/encoding.ts'
import { providerUnavailable } from '../ports/refusals.ts'
import type { Delivery, DeliveryHeaders } from '../ports/delivery.ts'
import type { MaybePromise, SignatureScheme, Verification } from '../ports/ports.ts'
import { requireSecret } from './keys.ts'
import { plainHeader, type Presented, type SignatureLocation } from './signature-header.ts'
import type { SignedTimeOptions } from './stamps.ts'

/** Options of all schemes that sign content. */
export interface ProofOptions {
  /**
   * The header of the signature, a list of alternative headers, or another location such as `structuredHeader()`,
   * `listHeader()`, `numberedHeaders()`, `jsonSignature()` and `formSignature()`.
   */
  readonly header: string | readonly string[] | SignatureLocation
  /** How the signature is written. */
  readonly encoding: DigestEncoding
  /** The prefix of the signature in a plain header, such as `sha256=`. @default '' */
  readonly prefix?: string
  /** The signed time: `signedTime()`. Without a time, a captured delivery verifies without a time limit. */
  readonly timestamp?: SignedStamp
  /** The signed id of the delivery: `signedId()`. */
  readonly id?: SignedStamp
  /** Other headers that `content` reads, such as a nonce. A delivery without one of these headers is rejected. @default none */
  readonly signedHeaders?: readonly string[]
  /**
   * Builds the signed content; required with a time or an id in a header. A list has the alternative forms of a service that
   * writes one content in several ways: the first form is for `sign`.
   *
   * @default the body
   */
  readonly content?: BuildContent | readonly BuildContent[]
  /**
   * The parts of a delivery that the content covers: the whole body, or a list of parts such as `['token', 'time']`.
   *
   * @default 'body'
   */
  readonly covers?: 'body' | readonly string[]
}

/** A signed value in addition to the body. */
export interface SignedStamp {
  /** The lower-case name of the header; absent when the value is in another place. */
  readonly header?: string
  /** Returns the unchanged text, or the reason of a rejection. */
  read(
    delivery: Pick<Delivery, 'headers' | 'toleranceSeconds'>,
    presented: Presented,
    now: number,
  ): string | Refusal
  /** Creates the text for signing. */
  make(headers: DeliveryHeaders, now: number): string
  /** The options of a time. @default unknown */
  readonly time?: SignedTimeOptions
  /** Checks the body after the signature is verified. */
  refuses?(delivery: Pick<Delivery, 'body' | 'toleranceSeconds'>, now: number): Refusal | undefined
}

export type Refusal = Extract<Verification, { verified: false }>

export const refusal = (reason: Refusal['reason']): Refusal => ({ verified: false, reason })

/** @throws TypeError for an invalid header name */
export function requireHeaderName(name: string | undefined): void {
  // Node.js loads its whole fetch at the first use of `Headers`: 40 ms of a cold start.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name ?? '')) throw new TypeError(`Invalid header name: "${name}"`)
}

/** The stamps of a delivery. A stamp is empty when the scheme does not have it. */
interface Stamps {
  readonly timestamp: string
  readonly id: string
}

/** The request that `sign` creates. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly url: string | undefined
}

/** Reads and writes the headers of a proof, and builds the signed content. */
export interface Proof {
  readonly names: Pick<
    SignatureScheme,
    'headers' | 'parameters' | 'signedHeaders' | 'signedIds' | 'covers' | 'hasTolerance'
  >
  read(delivery: Delivery, now: number): (Stamps & Pick<Presented, 'signatures'>) | Refusal
  /** Builds the signed parts of a delivery in each form. A form without a required part is omitted. */
  contents(
    delivery: Delivery,
    body: Uint8Array,
    stamps: Stamps,
    secret: string,
  ): Promise<readonly (readonly ContentPart[])[]>
  /** Creates `sign` and `signBody` of a scheme. `sign` creates the signature of the content. */
  signers(
    sign: (content: readonly ContentPart[], secret: string) => MaybePromise<string>,
    signedForm?: (body: Uint8Array) => Uint8Array,
  ): Pick<SignatureScheme, 'sign' | 'signBody' | 'signUrl'>
}

/** @throws TypeError for a time or an id without `content`, an invalid header name, and an unknown encoding */
export function createProof(options: ProofOptions): Proof {
  const { header, encoding, prefix = '', timestamp: time, id, content: build, covers } = options
  requireEncoding('encoding', encoding)
  const isOutsideBody = id ?? (time && !time.refuses)
  if (isOutsideBody && !build) throw new TypeError('content must have the time or id')
  const builders: readonly BuildContent[] = build ? [build].flat() : [({ body }) => [body]]
  const location = typeof header === 'object' && 'read' in header ? header : plainHeader(header, prefix)
  const others = (options.signedHeaders ?? []).map((name) => name.toLowerCase())
  const signedIds = [id?.header ?? []].flat()
  const signedHeaders = [time?.header ?? [], signedIds, others].flat()
  const headers = [location.names, signedHeaders].flat()
  if (!location.writeBody && !location.writeUrl) requireHeaderName(location.names[0])
  for (const name of headers) requireHeaderName(name)

  const buildContent = async (
    builder: BuildContent,
    delivery: Delivery,
    { body, timestamp, id, secret }: Stamps & Pick<SignedContent, 'body' | 'secret'>,
  ): Promise<readonly ContentPart[] | undefined> => {
    const content = await builder({
      body,
      timestamp,
      id,
      secret,
      method: delivery.method,
      headers: delivery.headers,
      get url() {
        const { url } = delivery
        if (url !== undefined) return url
        throw providerUnavailable(
          'This provider signs the public URL: set PUBLIC_URL, or the option publicUrl',
        )
      },
    })
    return content.every((part) => part !== undefined) ? content : undefined
  }

  const createRequest = async (
    delivery: Delivery,
    now: number,
    sign: (content: readonly ContentPart[]) => MaybePromise<string>,
    context: Pick<SignedContent, 'body' | 'secret'>,
  ): Promise<SignedRequest> => {
    const given = delivery.headers
    const stamps = { timestamp: time?.make(given, now) ?? '', id: id?.make(given, now) ?? '' }
    const added = Object.fromEntries(others.map((name) => [name, given.get(name) ?? crypto.randomUUID()]))
    const headers = new Headers([...given].map(([name, value]): [string, string] => [name, value]))
    for (const [name, value] of Object.entries(added)) headers.set(name, value)
    const [builder] = builders as [BuildContent]
    const content = await buildContent(builder, { ...delivery, headers }, { ...stamps, ...context })
    if (content === undefined) throw new TypeError('The delivery lacks a part that the service signs')
    const text = await sign(content)
    return {
      headers: {
        ...added,
        ...(id?.header && { [id.header]: stamps.id }),
        ...(time?.header && { [time.header]: stamps.timestamp }),
        ...location.write(text, stamps.timestamp),
      },
      body: location.writeBody?.(delivery.body, text) ?? delivery.body,
      url: location.writeUrl?.(delivery.url, text) ?? delivery.url,
    }
  }

  return {
    names: {
      ...{ headers, signedHeaders, signedIds, ...(covers && { covers }) },
      ...(location.parameters && { parameters: location.parameters }),
      ...(time && { hasTolerance: true }),
    },

    async contents(delivery, body, stamps, secret) {
      const built = builders.map((builder) => buildContent(builder, delivery, { ...stamps, body, secret }))
      return (await Promise.all(built)).filter((content) => content !== undefined)
    },

    read(delivery, now) {
      const presented = location.read(delivery)
      if (typeof presented === 'string') return refusal(presented)
      const { headers } = delivery
      if (others.some((name) => !headers.get(name)))
        return refusal(others.some((name) => headers.get(name) === null) ? 'missing' : 'malformed')
      const timestampText = time?.read(delivery, presented, now) ?? ''
      if (typeof timestampText !== 'string') return timestampText
      const idText = id?.read(delivery, presented, now) ?? ''
      if (typeof idText !== 'string') return idText
      return { ...presented, timestamp: timestampText, id: idText }
    },

    signers(sign, signedForm = (body) => body) {
      const create = async (delivery: Delivery, secret: string, now: number): Promise<SignedRequest> => {
        requireSecret(secret)
        const context = { body: signedForm(delivery.body), secret }
        return createRequest(delivery, now, (content) => sign(content, secret), context)
      }
      return {
        sign: async (...request) => (await create(...request)).headers,
        ...(location.writeBody && { signBody: async (...request) => (await create(...request)).body }),
        ...(location.writeUrl && { signUrl: async (...request) => (await create(...request)).url ?? '' }),
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
  /** The secret, for services that put the secret into the content. Empty for a scheme with fetched keys and no secret. */
  readonly secret: string
}

/**
 * Builds the signed content as a list of parts: bytes, or text in UTF-8. A template string could change a body that
 * contains `$&`. An undefined part rejects the delivery as malformed.
 */
export type BuildContent = (signed: SignedContent) => MaybePromise<readonly (ContentPart | undefined)[]>
