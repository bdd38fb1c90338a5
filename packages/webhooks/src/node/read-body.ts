import type { IncomingMessage } from 'node:http'
import { bodyAborted, bodyTimeout, type BodySink } from '@sallyport/webhooks'

/**
 * Reads a body to its end, to the sink's refusal, to its time-out or to the client's going away.
 *
 * @throws TypeError when somebody has read it before, who then has the bytes that are signed
 */
export function readBody(request: IncomingMessage, sink: BodySink): Promise<void> {
  if (request.readableDidRead || request.readableEnded) {
    return Promise.reject(
      new TypeError('The body was read before the gateway: mount it in front of body parsers'),
    )
  }
  if (request.destroyed) return Promise.reject(bodyAborted())

  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
    }
    const giveUp = (error: Error) => {
      settle()
      request.pause()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      try {
        sink.push(chunk)
      } catch (error) {
        giveUp(error as Error)
      }
    }
    const onEnd = () => {
      settle()
      resolve()
    }
    const onAborted = () => {
      giveUp(bodyAborted())
    }
    const timer = setTimeout(() => {
      giveUp(bodyTimeout())
    }, sink.timeoutMs)
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)
  })
}
