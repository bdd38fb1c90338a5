import type { IncomingMessage } from 'node:http'
import { bodyAborted, bodyTimeout, type BodySink } from '@sallyport/webhooks'
import { turnRead } from './turn.ts'

/** A body on its way. */
interface Reading {
  readonly sink: BodySink
  readonly timer: NodeJS.Timeout
  readonly resolve: (value: Promise<void>) => void
  readonly reject: (error: Error) => void
}

/** Where the listeners find it: closures of every request's own take more memory than a small body. */
const reading = Symbol('reading')

type Request = IncomingMessage & { [reading]?: Reading | undefined }

/**
 * Reads a body to its end, to the sink's refusal, to its time-out or to the client's going away.
 *
 * @throws TypeError when somebody has read it before, who then has the bytes that are signed
 */
export function readBody(request: Request, sink: BodySink): Promise<void> {
  // Whoever has set an encoding has made text of its bytes, and whoever listens for `readable` keeps it from flowing.
  const isTaken = request.readableDidRead || request.readableEncoding || request.listenerCount('readable') > 0
  if (request[reading] || isTaken || request.readableEnded) {
    return Promise.reject(
      new TypeError('The body was read before the gateway: mount it in front of body parsers'),
    )
  }
  if (request.destroyed) return Promise.reject(bodyAborted())

  return new Promise((resolve, reject) => {
    // Most bodies have come in with their headers, whole.
    if (request.complete) {
      // Node.js 22 and 24 give all chunks at once, later ones and Deno one at a time.
      for (let chunk; (chunk = request.read() as Buffer | null) !== null;) sink.push(chunk)
      resolve()
      return
    }
    request[reading] = { sink, timer: setTimeout(onTimeout, sink.timeoutMs, request), resolve, reject }
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)
    // Somebody in front may have paused it.
    request.resume()
  })
}

function onData(this: Request, chunk: Buffer): void {
  try {
    this[reading]?.sink.push(chunk)
  } catch (error) {
    giveUp(this, error as Error)
  }
}

function onEnd(this: Request): void {
  // The rest of bodies that came in parts ends together, too.
  settle(this)?.resolve(turnRead())
}

function onAborted(this: Request): void {
  giveUp(this, bodyAborted())
}

function onTimeout(request: Request): void {
  giveUp(request, bodyTimeout())
}

function giveUp(request: Request, error: Error): void {
  const given = settle(request)
  request.pause()
  given?.reject(error)
}

function settle(request: Request): Reading | undefined {
  const settled = request[reading]
  request[reading] = undefined
  clearTimeout(settled?.timer)
  request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
  return settled
}
