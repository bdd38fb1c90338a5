import type { IncomingMessage } from 'node:http'
import { isComplete } from './client-end.ts'

/**
 * Converts the body of a request to a stream. Unlike with `Readable.toWeb`, canceling the stream does not close the connection,
 * which still has to send the response. The rest of the body is discarded.
 */
export function streamBody(request: IncomingMessage): ReadableStream<Uint8Array> {
  if (request.readableEnded && request.complete)
    throw new Error('The body was read before the API: mount the API before body parsers')
  const removeListeners = () => {
    request.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd)
  }
  let onData: (chunk: Buffer) => void = () => undefined
  let onEnd: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onData = (chunk) => {
          controller.enqueue(chunk)
          request.pause()
        }
        onEnd = () => {
          removeListeners()
          if (isComplete(request)) controller.close()
          else controller.error(new Error('The body ended early'))
        }
        if (request.destroyed) {
          onEnd()
          return
        }
        request.on('end', onEnd).on('close', onEnd).on('error', onEnd)
      },
      pull() {
        if (request.listenerCount('data', onData) === 0) request.on('data', onData)
        request.resume()
      },
      cancel() {
        removeListeners()
        request.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
