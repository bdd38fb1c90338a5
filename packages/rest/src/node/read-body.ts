import type { IncomingMessage } from 'node:http'
import { SallyportError } from '@sallyport/errors'
import { isComplete } from './client-end.ts'

/** The timeout of a body, in milliseconds. */
const bodyTimeoutMs = 10_000

/**
 * Reads the body of a request.
 *
 * @param createError creates the error for more than `limit` bytes
 * @throws SallyportError 408 `REQUEST_TIMEOUT` after 10 seconds; 400 `BAD_REQUEST` for a body that ends early
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  createError: () => Error,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (request.readableEnded || request.destroyed) {
      reject(
        request.readableEnded && request.complete
          ? new Error('The body was read before the API: mount the API before body parsers')
          : new SallyportError('BAD_REQUEST', 'The body ended early'),
      )
      return
    }
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
      if (left < 0) refuse(createError())
      else chunks.push(chunk)
    }
    const onEnd = () => {
      if (!isComplete(request)) {
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
