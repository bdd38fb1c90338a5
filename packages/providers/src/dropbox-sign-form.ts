import { formField, parseText } from '@sallyport/webhooks'

const encoder = new TextEncoder()
const field = 'json'

/** Reads the JSON of a delivery of Dropbox Sign: the field `json` of a form, as multipart or as a URL-encoded form. */
export function readJsonField(body: Uint8Array): Uint8Array | undefined {
  // A multipart body starts with its boundary, a URL-encoded form with the name of its field.
  const json = body[0] === 0x2d ? readPart(body) : formField(body, field)
  return json === undefined ? undefined : encoder.encode(json)
}

/** The only part with the name. */
function readPart(body: Uint8Array): string | undefined {
  const text = parseText(body)
  const boundary = text.slice(0, text.indexOf('\r\n'))
  if (!/^--[\w'()+,./:=?-]{1,70}$/.test(boundary)) return undefined
  const parts = text
    .split(boundary)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n')
      return { head: part.slice(0, Math.max(end, 0)), value: part.slice(end + 4, -2) }
    })
    .filter(({ head }) => head.includes(`; name="${field}"`))
  return parts.length === 1 ? parts[0]?.value : undefined
}

/** Writes the JSON of a delivery as multipart. */
export function writeJsonField(json: Uint8Array): Uint8Array {
  const boundary = '--sallyport-boundary'
  const head = `${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n`
  return encoder.encode(`${head}${parseText(json)}\r\n${boundary}--\r\n`)
}
