import { scanJson, type JsonNode } from './json-scan.ts'

/** A body in all forms that it has. */
export interface DecodedBody {
  readonly bytes: Uint8Array
  /** Undefined for bytes that are not UTF-8. */
  readonly text: string | undefined
  /** Undefined for text that is not JSON. */
  readonly json: JsonNode | undefined
}

/** Decodes the body of a delivery as the API shows it. */
export function decodeBody(body: {
  readonly encoding: 'utf-8' | 'base64'
  readonly data: string
}): DecodedBody {
  if (body.encoding === 'base64') {
    const bytes = Uint8Array.from(atob(body.data), (char) => char.charCodeAt(0))
    return { bytes, text: undefined, json: undefined }
  }
  return { bytes: new TextEncoder().encode(body.data), text: body.data, json: scanJson(body.data) }
}
