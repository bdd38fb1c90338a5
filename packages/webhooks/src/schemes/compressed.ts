import { changeDelivery } from './change-delivery.ts'
import { joinBytes } from '../crypto/encoding.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { refusal } from './proof.ts'
import { readBounded } from './read-bounded.ts'

export interface CompressedOptions {
  /** Whether the service signs the bytes that it sends, or the inflated bytes. */
  readonly signs: 'compressed' | 'inflated'
  /** The largest inflated body in bytes. @default 1048576 */
  readonly maximumBytes?: number
}

/**
 * Adds compressed bodies to a scheme. The verified body is the inflated body. A delivery without `Content-Encoding` is verified
 * unchanged. The provider lists the encodings: `contentEncodings: ['gzip']`; `deflate` is possible too.
 *
 * A body that inflates to more than `maximumBytes` is malformed. The scheme stops to inflate at this length.
 *
 * @example
 * ```ts
 * import { compressed, hmac } from '@sallyport/webhooks'
 *
 * const signature = compressed(
 *   hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
 *   { signs: 'inflated' },
 * )
 * ```
 */
export function compressed(scheme: SignatureScheme, options: CompressedOptions): SignatureScheme {
  const { signs, maximumBytes = 1_048_576 } = options
  return {
    ...scheme,
    async verify(delivery, secrets, now) {
      const encoding = delivery.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
      if (encoding === 'identity') return scheme.verify(delivery, secrets, now)
      if (encoding !== 'gzip' && encoding !== 'deflate') return refusal('malformed')
      if (signs === 'inflated') {
        const body = await inflate(delivery.body, encoding, maximumBytes)
        return body ? scheme.verify(changeDelivery(delivery, { body }), secrets, now) : refusal('malformed')
      }
      const verification = await scheme.verify(delivery, secrets, now)
      if (!verification.verified) return verification
      const body = await inflate(verification.body, encoding, maximumBytes)
      return body ? { ...verification, body } : refusal('malformed')
    },
  }
}

/** Returns undefined for invalid data and for a longer result. */
async function inflate(
  body: Uint8Array,
  format: 'gzip' | 'deflate',
  maximumBytes: number,
): Promise<Uint8Array | undefined> {
  const stream = new Blob([joinBytes([body])]).stream().pipeThrough(new DecompressionStream(format))
  try {
    return await readBounded(stream as AsyncIterable<Uint8Array>, maximumBytes)
  } catch {
    return undefined
  }
}
