import type { IncomingMessage } from 'node:http'
import { SallyportError } from '@sallyport/errors'
import { parseStrictJson } from './strict-json.ts'

/** A JSON body: what it says, undefined when there is none, and its bytes as they were received. */
export interface JsonBody {
  readonly value: unknown
  readonly bytes: Uint8Array
}

/** How long a body may take to arrive, in milliseconds. */
const patience = 10_000
/** What is still taken in, and thrown away, of a body that is too large: a reset would overtake the answer. */
const linger = { bytes: 256 * 1024, ms: 1000 }

/**
 * Reads the JSON body of a request, strictly: UTF-8, an `application/json` type, not compressed, no field twice.
 *
 * @param required whether there has to be one
 * @throws SallyportError 415 `UNSUPPORTED_MEDIA_TYPE`; 413 `PAYLOAD_TOO_LARGE` over `limit` bytes; 400
 * `INVALID_JSON`; 408 `REQUEST_TIMEOUT` for a body that does not arrive
 */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
  required = true,
): Promise<JsonBody> {
  if (hasBody(request)) requireJson(request)
  const bytes = await readBytes(request, limit)
  // A body may turn out to be empty only once it has ended.
  if (!required && bytes.length === 0) return { value: undefined, bytes }
  return { value: parseStrictJson(bytes), bytes }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function requireJson({ headers, headersDistinct }: IncomingMessage): void {
  // Of several Node.js keeps the first, and what is before the server may have gone by another.
  const [type = '', another] = headersDistinct['content-type'] ?? []
  if (!isJson(type) || another !== undefined) {
    throw new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, in UTF-8')
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new SallyportError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding')
  }
}

/** JSON has no parameters (RFC 8259, section 11), so that one means nothing, unless it says that it is not UTF-8. */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(/[ \t]*;[ \t]*/)
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !/^charset\b/.test(parameter) || /^charset="?utf-8"?$/.test(parameter))
  )
}

function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let left = limit
    let refusal: Error | undefined

    const settle = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', settle).off('close', settle).off('error', onError)
      if (refusal !== undefined) reject(refusal)
      else if (request.complete) resolve(Buffer.concat(chunks))
      else reject(new SallyportError('BAD_REQUEST', 'The body ended early'))
    }
    const refuse = (error: Error) => {
      refusal = error
      chunks.length = 0
      left = linger.bytes
      clearTimeout(timer)
      timer = setTimeout(settle, linger.ms)
    }
    const onData = (chunk: Buffer) => {
      left -= chunk.length
      if (left >= 0) {
        if (refusal === undefined) chunks.push(chunk)
      } else if (refusal === undefined) refuse(tooLarge(limit))
      else settle()
    }
    const onError = (error: Error) => {
      refusal ??= new SallyportError('BAD_REQUEST', 'The body could not be read', { cause: error })
      settle()
    }
    let timer = setTimeout(() => {
      refusal = new SallyportError('REQUEST_TIMEOUT', 'The body took too long to arrive')
      settle()
    }, patience)

    if (Number(request.headers['content-length'] ?? 0) > limit) refuse(tooLarge(limit))
    request.on('data', onData).on('end', settle).on('close', settle).on('error', onError)
  })
}

function tooLarge(limit: number): SallyportError {
  return new SallyportError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes`)
}
