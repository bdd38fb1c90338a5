import type { Handshake, HandshakeAnswer } from '../provider/provider.ts'
import { matchesPattern, type RequestPattern } from './match.ts'

export interface FixedHandshakeOptions {
  /** @default ['POST'] */
  readonly methods?: Handshake['methods']
  /** The values that distinguish a probe from a delivery; required for POST. */
  readonly when?: RequestPattern
  /** Whether the service signs the probe like a delivery. @default false */
  readonly signed?: boolean
  /** @default 200 */
  readonly status?: HandshakeAnswer['status']
  /** The status for another request by GET or HEAD. @default the refusal of the gateway */
  readonly otherwise?: HandshakeAnswer['status']
  /** The JSON value of the answer. @default an empty body */
  readonly json?: unknown
  /** The text of the answer. @default an empty body */
  readonly text?: string
}

/**
 * A handshake with a fixed answer: a probe of an address, or a ping.
 *
 * @throws TypeError for POST without `when`: each delivery would be a probe
 *
 * @example
 * ```ts
 * import { fixedHandshake } from '@sallyport/webhooks/handshakes'
 *
 * const probe = fixedHandshake({ methods: ['HEAD', 'GET'] })
 * const discord = fixedHandshake({ when: { json: { type: '1' } }, signed: true, json: { type: 1 } })
 * const fitbit = fixedHandshake({ methods: ['GET'], when: { query: { verify: 'code' } }, status: 204, otherwise: 404 })
 * const wooCommerce = fixedHandshake({ when: { headers: { 'content-type': 'application/x-www-form-urlencoded' } } })
 * ```
 */
export function fixedHandshake(options: FixedHandshakeOptions): Handshake {
  const { methods = ['POST'], when, signed = false, status, otherwise, json, text = '' } = options
  if (methods.includes('POST') && !when) throw new TypeError('A handshake by POST needs `when`')
  const answer: HandshakeAnswer = {
    ...(status !== undefined && { status }),
    ...(json === undefined
      ? { contentType: 'text/plain', body: text }
      : { contentType: 'application/json', body: JSON.stringify(json) }),
  }
  return {
    methods,
    async answer(request) {
      if (!matchesPattern(request, when ?? {})) {
        if (otherwise === undefined || request.method === 'POST') return undefined
        return { status: otherwise, contentType: 'text/plain', body: '' }
      }
      return !signed || (await request.verify()) ? answer : undefined
    },
  }
}
