import { isSallyportError } from '@sallyport/errors'
import { verify } from '../provider/verify.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { findTimes, varyBody, varySecret, varyUrl, type Variation } from './variations.ts'

export type MistakeCode =
  | 'HEADER_MISSING'
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_MALFORMED'
  | 'EXPIRED'
  | 'SECRET_MISSING'
  | 'SECRET_UNUSABLE'
  | 'SECRET_WHITESPACE'
  | 'SECRET_QUOTES'
  | 'SECRET_PREFIX'
  | 'SECRET_ENCODING'
  | 'BODY_WHITESPACE'
  | 'BODY_RESERIALIZED'
  | 'BODY_BASE64'
  | 'URL'
  | 'MISMATCH'

/** One reason why a delivery does not verify. */
interface Mistake {
  readonly code: MistakeCode
  /** One sentence that says how to mend it, without secrets and without parts of the body. */
  readonly message: string
}

export interface Diagnosis {
  /** Whether the delivery verifies as it is. */
  readonly verified: boolean
  /** All mistakes that together explain the refusal; empty for a delivery that verifies. */
  readonly mistakes: readonly Mistake[]
}

export interface DiagnoseOptions {
  readonly provider: AnyProvider
  /** The captured request, with the public address for a service that signs it. */
  readonly delivery: Delivery
  readonly secrets: readonly string[]
  /** When the request arrived, in milliseconds since the epoch. @default Date.now() */
  readonly now?: number
}

/** The variations of a larger body take too long. */
const maxVariedBytes = 1024 * 1024

/** The bodies that are verified before other work of the process gets a turn: a few milliseconds. */
const bytesPerTurn = 4 * 1024 * 1024

/**
 * Verifies a captured delivery, and explains a refusal: a missing header, a time outside the tolerance, a secret in another
 * encoding, with white space or quotes, a body that was parsed and written again, or another public address.
 *
 * The function tries the usual mistakes one by one and in pairs of secret and body, at most a few hundred verifications.
 * Use it in tools and tests only: a server that accepts a variation would accept forged deliveries.
 *
 * @example
 * ```ts
 * import { diagnose } from '@sallyport/webhooks/diagnose'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const github: AnyProvider
 * const headers = new Headers({ 'x-hub-signature-256': 'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3' })
 * const { verified, mistakes } = await diagnose({
 *   provider: github,
 *   delivery: { method: 'POST', headers, body: new TextEncoder().encode('{"zen":"Design for failure."}') },
 *   secrets: [' a secret with a space'],
 * })
 * if (!verified) console.log(mistakes.map(({ message }) => message).join('\n'))
 * ```
 */
export async function diagnose({
  provider,
  delivery,
  secrets,
  now = Date.now(),
}: DiagnoseOptions): Promise<Diagnosis> {
  const failed = (...mistakes: readonly Mistake[]): Diagnosis => ({ verified: false, mistakes })
  if (secrets.length === 0)
    return failed({ code: 'SECRET_MISSING', message: 'There is no secret to verify with.' })

  let reason: string
  let unusable: string | undefined
  try {
    const check = await verify(provider, delivery, secrets, now)
    if (check.verified) return { verified: true, mistakes: [] }
    reason = check.reason
  } catch (error) {
    if (!isSallyportError(error)) throw error
    // The message of a scheme has no part of the secret.
    unusable = error.message
    reason = 'mismatch'
  }
  if (reason === 'missing') return failed(describeMissing(provider, delivery))

  const found = await findVariation(provider, delivery, secrets, now)
  if (found) return failed(...found)
  if (unusable !== undefined) return failed({ code: 'SECRET_UNUSABLE', message: `${unusable}.` })
  if (reason === 'malformed') {
    const names = provider.signature.headers.join(', ')
    const place = names === '' ? 'The body' : `The request, in ${names},`
    return failed({
      code: 'SIGNATURE_MALFORMED',
      message: `${place} has no signature in the form of ${provider.name}: compare the header with the documentation of the service.`,
    })
  }
  return failed({
    code: reason === 'expired' ? 'EXPIRED' : 'MISMATCH',
    message:
      reason === 'expired'
        ? 'The signed time is outside the tolerance, and the signature does not verify at that time either.'
        : 'No usual mistake explains the signature: the secret belongs to another endpoint, or the body was changed.',
  })
}

function describeMissing({ name, signature }: AnyProvider, { headers }: Delivery): Mistake {
  const missing = signature.headers.filter((header) => headers.get(header) === null)
  if (missing.length === 0)
    return {
      code: 'SIGNATURE_MISSING',
      message: `The body has no signature in the place where ${name} signs.`,
    }
  const similar = [...headers]
    .map(([header]) => header.toLowerCase())
    .filter((header) => /signature|hmac|token|digest/.test(header))
  const others = similar.length > 0 ? ` The request has ${similar.slice(0, 5).join(', ').slice(0, 200)}.` : ''
  return {
    code: 'HEADER_MISSING',
    message: `The request lacks the header ${missing.slice(0, 5).join(', ')}.${others}`,
  }
}

/** Finds the smallest set of changes with which the delivery verifies: one, or a secret with another body, time or address. */
async function findVariation(
  provider: AnyProvider,
  delivery: Delivery,
  secrets: readonly string[],
  now: number,
): Promise<readonly Mistake[] | undefined> {
  const { url, body } = delivery
  const unchanged = <Value>(value: Value): Partial<Variation<Value>> & { readonly value: Value } => ({
    value,
  })
  const values = [...delivery.headers].map(([, value]) => value)
  const times = [
    unchanged(now),
    ...findTimes([...values, ...readStart(body)]).map((time) => ({
      code: 'EXPIRED' as const,
      message: describeTime(time, now),
      value: time,
    })),
  ]
  const bodies = [unchanged(body), ...(body.length <= maxVariedBytes ? varyBody(body) : [])]
  const urls = [unchanged(url), ...(url === undefined ? [] : varyUrl(url))]
  const keys = secrets.flatMap((secret) => [unchanged(secret), ...varySecret(secret)])

  const candidates = keys
    .flatMap((key) =>
      bodies.flatMap((content) =>
        urls.flatMap((address) => times.map((time) => [key, content, address, time] as const)),
      ),
    )
    .map((parts) => ({ parts, mistakes: parts.filter(isMistake) }))
    .filter(({ mistakes }) => mistakes.length > 0 && mistakes.length <= 2)
    .sort((one, other) => one.mistakes.length - other.mistakes.length)
  const addresses = 1 + (delivery.alternativeUrls?.length ?? 0)
  let bytes = 0
  for (const { parts, mistakes } of candidates) {
    const [key, content, address, time] = parts
    bytes += content.value.length * (address.code === undefined ? addresses : 1)
    if (bytes > bytesPerTurn) {
      bytes = 0
      await new Promise((resolve) => setTimeout(resolve))
    }
    const changed: Delivery = {
      ...delivery,
      body: content.value,
      // Another address needs no alternatives: they would multiply the verifications.
      ...(address.code !== undefined && { url: address.value, alternativeUrls: [] }),
    }
    const isVerified = await verify(provider, changed, [key.value], time.value).then(
      ({ verified }) => verified,
      () => false,
    )
    if (isVerified) return mistakes.map(({ code, message }) => ({ code, message }))
  }
  return undefined
}

const isMistake = <Part extends { readonly code?: MistakeCode; readonly message?: string }>(
  part: Part,
): part is Part & Mistake => part.code !== undefined

/** Returns the start of a body in which a service may write the signed time. */
const readStart = (body: Uint8Array): readonly string[] => [new TextDecoder().decode(body.subarray(0, 8192))]

function describeTime(time: number, now: number): string {
  const seconds = Math.round(Math.abs(now - time) / 1000)
  const side = time < now ? 'before' : 'after'
  return `The signature is valid, but its time is ${seconds} seconds ${side} the time of receipt: check the clock, or send the delivery again.`
}
