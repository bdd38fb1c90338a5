import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
// Not the global function: fake timers of a server's tests replace it and would stop the listener.
import { setImmediate } from 'node:timers'
import type { BodySink } from '../gateway/body-budget.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import { bodyAborted, bodyTaken, bodyTimeout } from '../ports/refusals.ts'

/**
 * The headers of a Node request with all values of a name, like `Headers` of fetch. `request.headers` drops repeated
 * `Authorization` and `Content-Type` headers. The list of Node is not copied, which saves memory while bodies arrive. The
 * pseudo-headers of HTTP/2, such as `:path`, are omitted.
 */
export class RequestHeaders implements DeliveryHeaders {
  /** Names and values alternate. */
  readonly #list: readonly string[]

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    this.#list = rawHeaders
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase()
    let found: string | null = null
    for (let index = 0; index + 1 < this.#list.length; index += 2) {
      const given = this.#list[index] as string
      // The comparison of lengths is faster, and most names differ in length.
      if (given.length === wanted.length && given.toLowerCase() === wanted)
        found = joinValues(found, this.#list[index + 1] as string)
    }
    return found
  }

  [Symbol.iterator](): MapIterator<[name: string, value: string]> {
    const folded = new Map<string, string>()
    for (let index = 0; index + 1 < this.#list.length; index += 2) {
      const name = (this.#list[index] as string).toLowerCase()
      if (!name.startsWith(':'))
        folded.set(name, joinValues(folded.get(name), this.#list[index + 1] as string))
    }
    return folded[Symbol.iterator]()
  }
}

const joinValues = (before: string | null | undefined, value: string): string =>
  before == null ? value : `${before}, ${value}`

/** The state of a body that is being read. */
interface Reading {
  readonly sink: BodySink
  readonly timer: NodeJS.Timeout
  readonly resolve: (value: Promise<void>) => void
  readonly reject: (error: Error) => void
}

/** The state is a property of the request: closures per request need more memory than a small body. */
const reading = Symbol('reading')

type Http2Stream = Pick<ServerHttp2Stream, 'aborted' | 'rstCode'>

type Request = IncomingMessage & {
  [reading]?: Reading | undefined
  /** The body as Cloud Functions and Firebase keep it, which read it before the function. */
  readonly rawBody?: unknown
  /** The stream of HTTP/2. */
  readonly stream?: Http2Stream
}

/**
 * Reads a body up to its end, or the bytes in `rawBody` of a platform that has read it.
 *
 * @throws `bodyTaken` if another reader has read the body; the errors of the sink, `bodyTimeout` and `bodyAborted`
 */
export function readBody(request: Request, sink: BodySink): Promise<void> {
  // An encoding decodes the bytes, and a listener for `readable` stops the flow.
  const isTaken = request.readableDidRead || request.readableEncoding || request.listenerCount('readable') > 0
  if (request[reading] || isTaken || request.readableEnded) {
    const { rawBody } = request
    return new Promise((resolve) => {
      if (!request.readableEnded || !(rawBody instanceof Uint8Array)) throw bodyTaken()
      sink.push(rawBody)
      resolve()
    })
  }
  if (request.destroyed || request.stream?.aborted) return Promise.reject(bodyAborted())

  return new Promise((resolve, reject) => {
    // Most bodies arrive completely with their headers.
    if (request.complete) {
      // Node.js 22 and 24 return all chunks at once; later versions and Deno return one at a time.
      for (let chunk; (chunk = request.read() as Buffer | null) !== null;) sink.push(chunk)
      resolve()
      return
    }
    request[reading] = { sink, timer: setTimeout(onTimeout, sink.timeoutMs, request), resolve, reject }
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted)
    // An earlier listener may have paused the request.
    request.resume()
  })
}

function onData(this: Request, chunk: Buffer): void {
  try {
    this[reading]?.sink.push(chunk)
  } catch (error) {
    abandon(this, error as Error)
  }
}

function onEnd(this: Request): void {
  const { stream } = this
  settle(this)?.resolve(
    stream
      ? waitForTurn().then(() => {
          requireComplete(stream)
        })
      : waitForTurn(),
  )
}

/** Node.js ends the body of a stream that the client resets, before it sets the code of the reset. */
function requireComplete({ aborted, rstCode }: Http2Stream): void {
  if (aborted || rstCode !== 0) throw bodyAborted()
}

function onAborted(this: Request): void {
  abandon(this, bodyAborted())
}

function onTimeout(request: Request): void {
  abandon(request, bodyTimeout())
}

function abandon(request: Request, error: Error): void {
  const state = settle(request)
  request.pause()
  state?.reject(error)
}

function settle(request: Request): Reading | undefined {
  const settled = request[reading]
  request[reading] = undefined
  clearTimeout(settled?.timer)
  request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted)
  return settled
}

/** Each waiting request can hold an uncounted chunk of its body. */
const maxWaiting = 128

interface Turn {
  readonly read: Promise<void>
  readonly end: () => void
  waiting: number
}

let turn: Turn | undefined

/**
 * Resolves after the event loop has read the sockets of this turn, or when 128 requests wait. Requests that arrive
 * together are handled and answered together, which costs fewer system calls and wake-ups.
 */
export function waitForTurn(): Promise<void> {
  const current = (turn ??= newTurn())
  current.waiting++
  if (current.waiting === maxWaiting) current.end()
  return current.read
}

function newTurn(): Turn {
  let resolve: (() => void) | undefined
  const current: Turn = {
    read: new Promise((settle) => (resolve = settle)),
    waiting: 0,
    end() {
      if (turn === current) turn = undefined
      resolve?.()
    },
  }
  setImmediate(current.end)
  return current
}
