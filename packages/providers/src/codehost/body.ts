import { parseJson } from '@sallyport/webhooks'

/**
 * Reads a body in either of the service's content types: JSON, or a form of the one field `payload` that holds it.
 *
 * The signed bytes tell which: no JSON text begins with `payload=`, and a content type is not signed.
 *
 * @throws SallyportError `INVALID_JSON` (400), also for a form with anything else in it
 */
export function parseBody(body: Uint8Array): unknown {
  return parseJson(formField(body) ?? body)
}

const prefix = new TextEncoder().encode('payload=')

/** Visible ASCII, as forms are encoded to, without the ampersand that would begin a second field. */
const oneField = /^payload=([!-%'-~]*)$/

/** The bytes of the field `payload` of a form that has no other and is encoded without a fault. */
function formField(body: Uint8Array): Uint8Array | undefined {
  if (!prefix.every((byte, index) => body[index] === byte)) return undefined
  const [, encoded] = oneField.exec(new TextDecoder('latin1').decode(body)) ?? []
  if (encoded === undefined) return undefined
  try {
    return new TextEncoder().encode(decodeURIComponent(encoded.replaceAll('+', ' ')))
  } catch {
    return undefined
  }
}
