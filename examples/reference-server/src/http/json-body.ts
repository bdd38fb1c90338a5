import type { IncomingMessage } from 'node:http'
import { SallyportError } from '@sallyport/errors'
import { parseStrictJson } from './strict-json.ts'

/** A JSON body: its value, undefined without a body, and its bytes. */
export interface JsonBody {
  readonly value: unknown
  readonly bytes: Uint8Array
}

const utf8 = /^charset="?(utf-?8|us-ascii)"?$/

/** The timeout of a body, in milliseconds. */
const bodyTimeoutMs = 10_000

/**
 * Reads the JSON body of a request: UTF-8, of type `application/json`, not compressed, without duplicate fields.
 * @param required whether the body may be missing
 * @throws SallyportError 415 `UNSUPPORTED_MEDIA_TYPE`; 413 `PAYLOAD_TOO_LARGE` over `limit` bytes; 400
 * `INVALID_JSON`; 408 `REQUEST_TIMEOUT` for a body that does not arrive
 */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
  required = true,
): Promise<JsonBody> {
  const { headers } = request
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = headers['transfer-encoding'] !== undefined || length > 0
  const mistyped = hasBody ? typeRefusal(request) : undefined
  // A chunked body may be empty, and an empty body needs no type.
  const mayBeEmpty = !required && length === 0 && headers['content-type'] === undefined
  if (mistyped !== undefined && !mayBeEmpty) throw mistyped
  if (length > limit) throw tooLarge(limit)
  const bytes = await readBytes(request, limit, mistyped)
  // The length of a chunked body is known at its end.
  if (!required && bytes.length === 0) return { value: undefined, bytes }
  return { value: parseStrictJson(bytes), bytes }
}

function typeRefusal({ headers, headersDistinct }: IncomingMessage): SallyportError | undefined {
  // Of several Content-Type headers, Node.js keeps the first; a proxy may have used another.
  const [type = '', another] = headersDistinct['content-type'] ?? []
  if (!isJson(type) || another !== undefined) {
    return new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, in UTF-8')
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    return new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding')
  }
  return undefined
}

/**
 * JSON has no parameters (RFC 8259, section 11), so parameters are ignored, except for a charset other than UTF-8 and its
 * subset US-ASCII.
 */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(/[ \t]*;[ \t]*/)
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !/^charset\b/.test(parameter) || utf8.test(parameter))
  )
}

/** @param unwanted the error for a body that is not empty */
function readBytes(request: IncomingMessage, limit: number, unwanted?: Error): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let left = limit

    const settle = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError)
    }
    const refuse = (error: Error) => {
      settle()
      // Discards the rest of the body; the response does not wait for it.
      request.resume()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      left -= chunk.length
      if (unwanted !== undefined) refuse(unwanted)
      else if (left < 0) refuse(tooLarge(limit))
      else chunks.push(chunk)
    }
    const onEnd = () => {
      if (!request.complete) {
        refuse(new SallyportError('BAD_REQUEST', 'The body ended early'))
        return
      }
      settle()
      resolve(Buffer.concat(chunks))
    }
    const onError = (error: Error) => {
      refuse(new SallyportError('BAD_REQUEST', 'The body could not be read', { cause: error }))
    }
    const timer = setTimeout(() => {
      refuse(new SallyportError('REQUEST_TIMEOUT', 'The body took too long to arrive'))
    }, bodyTimeoutMs)

    request.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError)
  })
}

function tooLarge(limit: number): SallyportError {
  return new SallyportError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes`)
}
