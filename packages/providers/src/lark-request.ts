import { hash, jsonField, type Handshake, type SignatureScheme } from '@sallyport/webhooks'
import { echo } from '@sallyport/webhooks/handshakes'
import { decodeBase64, encodeBase64 } from './base64.ts'

const encoder = new TextEncoder()
const time = 'x-lark-request-timestamp'
const nonce = 'x-lark-request-nonce'

const signed = hash({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-lark-signature',
  signedHeaders: [time, nonce],
  content: ({ headers, secret, body }) => [headers.get(time) ?? '', headers.get(nonce) ?? '', secret, body],
})

/**
 * The signature of Lark with the Encrypt Key, over the encrypted body. The verified body is the decrypted event. The text around
 * the encrypted member must be JSON, so that nobody can append to the signed content.
 */
export const larkRequest: SignatureScheme = {
  ...signed,

  async verify(delivery, secrets, now) {
    const verification = await signed.verify(delivery, secrets, now)
    if (!verification.verified) return verification
    const body = await decryptWithAny(verification.body, secrets)
    return body ? { verified: true, body } : { verified: false, reason: 'malformed' }
  },

  async signBody({ body }, secret) {
    const iv = crypto.getRandomValues(new Uint8Array(16))
    const key = await importKey(secret, 'encrypt')
    const sealed = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, Uint8Array.from(body))
    const encrypt = encodeBase64(Uint8Array.of(...iv, ...new Uint8Array(sealed)))
    return encoder.encode(JSON.stringify({ encrypt }))
  },
}

/** Challenges are short. */
const maximumChallengeBytes = 4096

/**
 * The `url_verification` of Lark: a POST that is encrypted, but not signed. Every answer counts as a failure of the address, so
 * that nobody can try many texts with the key.
 */
export const larkHandshake: Handshake = {
  methods: ['POST'],
  async answer({ body, secrets }) {
    if (body.length > maximumChallengeBytes) return undefined
    const plain = await decryptWithAny(body, secrets)
    if (plain === undefined || jsonField(plain, 'type') !== 'url_verification') return undefined
    const challenge = echo(jsonField(plain, 'challenge'))?.body
    if (challenge === undefined) return undefined
    return { contentType: 'application/json', body: JSON.stringify({ challenge }), signed: true }
  },
}

async function decryptWithAny(body: Uint8Array, secrets: readonly string[]): Promise<Uint8Array | undefined> {
  const bytes = decodeBase64(jsonField(body, 'encrypt') ?? '')
  if (bytes === undefined) return undefined
  for (const secret of secrets.filter((one) => one !== '')) {
    const plain = await decrypt(bytes, secret)
    if (plain !== undefined) return plain
  }
  return undefined
}

/** Returns undefined for another key. The initialization vector is the first block. */
async function decrypt(bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<Uint8Array | undefined> {
  const [iv, sealed] = [bytes.subarray(0, 16), bytes.subarray(16)]
  try {
    const key = await importKey(secret, 'decrypt')
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, sealed))
  } catch {
    return undefined
  }
}

async function importKey(secret: string, use: 'encrypt' | 'decrypt') {
  const key = await crypto.subtle.digest('SHA-256', encoder.encode(secret))
  return crypto.subtle.importKey('raw', key, 'AES-CBC', false, [use])
}
