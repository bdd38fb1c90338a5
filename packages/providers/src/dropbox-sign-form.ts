import { formField } from '@sallyport/webhooks'
import { isMultipart, readParts } from './multipart.ts'

const encoder = new TextEncoder()
const field = 'json'

/** Reads the JSON of a delivery of Dropbox Sign: the field `json` of a form, as multipart or as a URL-encoded form. */
export function readJsonField(body: Uint8Array): Uint8Array | undefined {
  if (!isMultipart(body)) {
    const json = formField(body, field)
    return json === undefined ? undefined : encoder.encode(json)
  }
  const parts = (readParts(body) ?? []).filter(({ name }) => name === field)
  return parts.length === 1 ? parts[0]?.value : undefined
}

/** Writes the JSON of a delivery as multipart. */
export function writeJsonField(json: Uint8Array): Uint8Array {
  const boundary = '--sallyport-boundary'
  const head = `${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n`
  const parts = [encoder.encode(head), json, encoder.encode(`\r\n${boundary}--\r\n`)]
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
