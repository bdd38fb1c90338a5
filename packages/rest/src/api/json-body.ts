import { SallyportError } from '@sallyport/errors'
import type { ApiRequest } from './api-request.ts'
import { parseStrictJson } from './strict-json.ts'

/** A JSON body: its value, undefined without a body, and its bytes. */
export interface JsonBody {
  readonly value: unknown
  readonly bytes: Uint8Array
}

/**
 * Reads the JSON body of a request: UTF-8, of type `application/json`, not compressed, without duplicate fields,
 * at most 100 levels deep.
 *
 * @param required whether the body may be missing
 * @throws SallyportError 415 `UNSUPPORTED_MEDIA_TYPE`; 413 `PAYLOAD_TOO_LARGE` over `limit` bytes; 400
 * `INVALID_JSON`; the errors of `readBody`
 */
export async function readJsonBody(request: ApiRequest, limit: number, required = true): Promise<JsonBody> {
  const mistyped = request.hasBody ? findTypeError(request) : undefined
  const length = Number(request.header('content-length') ?? 0)
  // A chunked body may be empty, and an empty body needs no type.
  const mayBeEmpty = !required && length === 0 && request.header('content-type') === undefined
  if (mistyped !== undefined && !mayBeEmpty) throw mistyped
  // An error takes longer to create than the rest of this function.
  const createError = () =>
    new SallyportError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes`)
  if (length > limit) throw createError()
  const bytes = await (mistyped === undefined
    ? request.readBody(limit, createError)
    : request.readBody(0, () => mistyped))
  // The length of a chunked body is known at its end.
  if (!required && bytes.length === 0) return { value: undefined, bytes }
  return { value: parseStrictJson(bytes), bytes }
}

function findTypeError({ header }: ApiRequest): SallyportError | undefined {
  if (!isJson(header('content-type') ?? '')) {
    return new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, in UTF-8')
  }
  if ((header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    return new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding')
  }
  return undefined
}

/** Removes the white space of HTTP (RFC 9110, section 5.6.3); `trim` removes that of Unicode. */
function trimWhitespace(text: string): string {
  let [start, end] = [0, text.length]
  while (isWhitespace(text[start])) start += 1
  while (end > start && isWhitespace(text[end - 1])) end -= 1
  return text.slice(start, end)
}

const isWhitespace = (character: string | undefined): boolean => character === ' ' || character === '\t'

const utf8 = /^charset="?(utf-?8|us-ascii)"?$/

/**
 * JSON has no parameters (RFC 8259, section 11), so parameters are ignored, except for a charset other than UTF-8 and its
 * subset US-ASCII.
 */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(';').map(trimWhitespace)
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !/^charset\b/.test(parameter) || utf8.test(parameter))
  )
}
