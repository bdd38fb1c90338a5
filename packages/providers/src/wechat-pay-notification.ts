import { jsonField, parseJson, rsa, signedTime, type SignatureScheme } from '@sallyport/webhooks'
import { decodeBase64, encodeBase64 } from './base64.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const nonce = 'wechatpay-nonce'

const lines = rsa({
  header: 'wechatpay-signature',
  encoding: 'base64',
  timestamp: signedTime({ header: 'wechatpay-timestamp', toleranceSeconds: 300 }),
  signedHeaders: [nonce],
  content: ({ timestamp, headers, body }) => [`${timestamp}\n${headers.get(nonce) ?? ''}\n`, body, '\n'],
})

/** Splits a secret into the API v3 key and the public key in PEM. */
function split(secret: string): readonly [apiKey: string, pem: string] {
  const at = secret.indexOf(':')
  return [secret.slice(0, Math.max(at, 0)), secret.slice(at + 1)]
}

/**
 * The signature of WeChat Pay over the lines of the time, the nonce and the body. The verified body has the decrypted resource.
 *
 * WeChat Pay signs for many merchants: a resource that the API v3 key does not decrypt is not for this merchant.
 */
export const wechatPayNotification: SignatureScheme = {
  ...lines,

  async verify(delivery, secrets, now) {
    const verification = await lines.verify(
      delivery,
      secrets.map((secret) => split(secret)[1]),
      now,
    )
    if (!verification.verified) return verification
    for (const [apiKey] of secrets.map(split)) {
      const body = await decryptResource(verification.body, apiKey)
      if (body !== undefined) return { verified: true, body }
    }
    return { verified: false, reason: 'mismatch' }
  },

  async checkSecret(secret) {
    const [apiKey, pem] = split(secret)
    await lines.checkSecret?.(pem)
    await importKey(apiKey, 'decrypt')
  },

  sign: (delivery, secret, now) => lines.sign(delivery, split(secret)[1], now),
  signBody: ({ body }, secret) => encryptResource(body, split(secret)[0]),
}

const importKey = (apiKey: string, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', encoder.encode(apiKey), 'AES-GCM', false, [use])

const readParameters = (body: Uint8Array) => ({
  name: 'AES-GCM',
  iv: encoder.encode(jsonField(body, 'resource.nonce') ?? ''),
  additionalData: encoder.encode(jsonField(body, 'resource.associated_data') ?? ''),
})

/** Returns the body with the decrypted resource; undefined for another key and for a body without a resource. */
async function decryptResource(body: Uint8Array, apiKey: string): Promise<Uint8Array | undefined> {
  const sealed = decodeBase64(jsonField(body, 'resource.ciphertext') ?? '')
  if (sealed === undefined) return undefined
  try {
    const key = await importKey(apiKey, 'decrypt')
    const plain = await crypto.subtle.decrypt(readParameters(body), key, sealed)
    return replaceResource(body, decoder.decode(plain))
  } catch {
    return undefined
  }
}

/** Encrypts the resource of a sample. */
async function encryptResource(body: Uint8Array, apiKey: string): Promise<Uint8Array> {
  const { resource } = parseJson(body) as { readonly resource: unknown }
  const open = {
    algorithm: 'AEAD_AES_256_GCM',
    associated_data: 'sallyport',
    nonce: encodeBase64(crypto.getRandomValues(new Uint8Array(9))),
  }
  const parameters = readParameters(encoder.encode(JSON.stringify({ resource: open })))
  const plain = encoder.encode(JSON.stringify(resource))
  const sealed = await crypto.subtle.encrypt(parameters, await importKey(apiKey, 'encrypt'), plain)
  const ciphertext = encodeBase64(new Uint8Array(sealed))
  return replaceResource(body, JSON.stringify({ ...open, ciphertext }))
}

function replaceResource(body: Uint8Array, json: string): Uint8Array {
  const members = Object.entries(parseJson(body) as Readonly<Record<string, unknown>>)
  // The text keeps the exact digits of large numbers.
  const written = members.map(
    ([name, value]) => `${JSON.stringify(name)}:${name === 'resource' ? json : JSON.stringify(value)}`,
  )
  return encoder.encode(`{${written.join(',')}}`)
}
