import { SallyportError } from '@sallyport/errors'
import { sha256Hex } from '../crypto/crypto.ts'
import { decodeText } from '../crypto/encoding.ts'
import type { MaybePromise } from '../ports/ports.ts'
import { standardWebhooks } from '../schemes/standard-webhooks.ts'
import { createPost, type PostOptions } from './post.ts'

export interface SignedPostOptions extends PostOptions {
  /**
   * The signing secret: `whsec_` and base64, or `whsk_` and base64 for Ed25519. A function is called for every message,
   * for example to read a lease.
   */
  readonly secret: string | (() => MaybePromise<string>)
}

const scheme = standardWebhooks()
const encoder = new TextEncoder()

/**
 * Creates a function that posts a value as JSON, signed with Standard Webhooks. Values with one id have one `webhook-id`.
 *
 * @throws TypeError for invalid options
 */
export function createSignedPost(options: SignedPostOptions) {
  const { now = Date.now, secret } = options
  if (typeof secret !== 'function' && !isUsableSecret(secret)) {
    throw new TypeError(`secret must be ${secretFormat}`)
  }
  const post = createPost(options)

  return async (id: string, value: object, signal: AbortSignal): Promise<void> => {
    const body = encoder.encode(JSON.stringify(value))
    // The id of an event can contain a dot, which an id of Standard Webhooks must not.
    const headers = new Headers({ 'webhook-id': `msg_${await sha256Hex(encoder.encode(id))}` })
    const currentSecret = typeof secret === 'function' ? await secret() : secret
    if (!isUsableSecret(currentSecret)) {
      throw new SallyportError('SECRET_UNUSABLE', `The function for the secret must return ${secretFormat}`)
    }
    const proof = await scheme.sign({ method: 'POST', headers, body }, currentSecret, now())
    await post(body, proof, signal)
  }
}

const secretFormat =
  'a secret of Standard Webhooks: "whsec_" and base64, or "whsk_" and a private key for Ed25519 in base64'

function isUsableSecret(secret: unknown): boolean {
  const [, prefix, rest = ''] = /^(whsec_|whsk_|)(.*)$/s.exec(typeof secret === 'string' ? secret : '') ?? []
  // A key from a file can end with a newline.
  const bytes = decodeText('base64', prefix === 'whsk_' ? rest.trim() : rest)
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return false
  return prefix !== 'whsk_' || bytes.length === 32 || bytes.length === 64
}
