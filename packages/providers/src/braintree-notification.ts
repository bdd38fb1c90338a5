import { formField, parseText, type SignatureLocation } from '@sallyport/webhooks'
import { decodeBase64, encodeBase64 } from './base64.ts'

/** `bt_signature` has pairs of a public key and a signature. The sample of a delivery is the XML of `bt_payload`. */
export const braintreeSignature: SignatureLocation = {
  names: [],
  read({ body }) {
    const pairs = formField(body, 'bt_signature')?.split('&', 8)
    if (pairs === undefined) return 'missing'
    const signatures = pairs.flatMap((pair) => pair.split('|')[1] ?? [])
    return signatures.length > 0 ? { signatures } : 'malformed'
  },
  write: () => ({}),
  writeBody(body, signature) {
    const fields = { bt_signature: `sallyport|${signature}`, bt_payload: readPayload(body) ?? '' }
    return new TextEncoder().encode(new URLSearchParams(fields).toString())
  },
}

const isXml = (body: Uint8Array): boolean => body[0] === 0x3c

/** Reads the base64 text of the notification from a form, or creates it for a sample. */
export function readPayload(body: Uint8Array): string | undefined {
  if (isXml(body)) return encodeBase64(body)
  const payload = formField(body, 'bt_payload')
  return payload !== undefined && /^[A-Za-z0-9+/=\n]+$/.test(payload) ? payload : undefined
}

/**
 * Returns the XML of a delivery or of a sample.
 *
 * @throws TypeError for a delivery without a payload in base64
 */
export function decodePayload(body: Uint8Array): string {
  if (isXml(body)) return parseText(body)
  const payload = readPayload(body)?.replaceAll('\n', '')
  const bytes = payload ? decodeBase64(payload) : undefined
  if (bytes === undefined) throw new TypeError('The payload is not base64')
  return parseText(bytes)
}

/** Returns the text of the first element with a name. */
export function readElement(xml: unknown, name: string): string | undefined {
  return new RegExp(`<${name}(?: [^<>]*)?>([^<]{1,256})</${name}>`).exec(String(xml))?.[1]
}
