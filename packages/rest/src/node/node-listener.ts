import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { hasBody } from '@sallyport/internal/end-early'
import { getHttp2Stream } from '@sallyport/internal/http2-stream'
import type { Api } from '../api/api-options.ts'
import type { ApiRequest } from '../api/api-request.ts'
import { checkMount, chooseRequestId, createPathError, splitTarget, stripMount } from '../api/host-request.ts'
import { onClientEnd } from './client-end.ts'
import { readBody } from './read-body.ts'
import { sendError, sendResponse } from './send-response.ts'
import { streamBody } from './stream-body.ts'

export interface NodeListenerOptions {
  /** The paths that the API is mounted at, the canonical one first. @default the root */
  readonly mount?: string | readonly string[]
  /** Answers requests to other paths. @default 404 */
  readonly otherwise?: RequestListener
  /**
   * Returns the address of the client. Behind a proxy, read the header that the proxy sets.
   *
   * @default the address of the socket
   */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined
  /** Returns the id of a request. @default `X-Request-Id` if it has 1 to 64 safe characters, otherwise a new UUID */
  readonly requestId?: (request: IncomingMessage, response: ServerResponse) => string
}

/** A listener for the requests of `node:http` and `node:http2`. */
export type NodeListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void

/**
 * Creates a request listener for `node:http` and `node:http2`, and middleware for Express.
 *
 * The listener answers every request below its mount path. In Express, mount it with `app.use('/api', listener)` before
 * body parsers; Express then sets the mount path.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { Api } from '@sallyport/rest'
 * import { createNodeListener } from '@sallyport/rest/node'
 *
 * declare const api: Api
 * createServer(createNodeListener(api, { mount: ['/api/v1', '/v1'] })).listen(3000)
 * ```
 */
export function createNodeListener(api: Api, options: NodeListenerOptions = {}): NodeListener {
  const {
    otherwise = answerUnknownPath,
    clientAddress = getSocketAddress,
    requestId = getRequestId,
  } = options
  const given = typeof options.mount === 'string' ? [options.mount] : (options.mount ?? [])
  given.forEach(checkMount)
  const mounts = given.length === 0 ? [''] : given
  const matchMount = (path: string) => {
    for (const mount of mounts) {
      const below = stripMount(path, mount)
      if (below !== undefined) return { mount, below }
    }
    return undefined
  }

  return (incoming, outgoing) => {
    // The members of `node:http2` that differ are read from the stream.
    const request = incoming as IncomingMessage
    const response = outgoing as ServerResponse
    const { url = '/' } = request
    // Express removes its own mount path from the URL.
    const { baseUrl = '' } = request as { readonly baseUrl?: string }
    const [path, query] = splitTarget(url)
    const found = matchMount(path)
    if (found === undefined) {
      otherwise(request, response)
      return
    }
    const details = {
      path: found.below,
      query,
      mountPath: baseUrl + found.mount,
      clientAddress: clientAddress(request),
      requestId: requestId(request, response),
    }
    api
      .handle(new NodeRequest(request, response, details))
      .then((answer) => {
        sendResponse(request, response, answer, api.bodyLimit)
      })
      .catch(() => response.destroy())
  }
}

/** A class, because V8 takes microseconds to create an object literal with an accessor. */
class NodeRequest implements ApiRequest {
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined
  readonly method
  readonly path
  readonly query
  readonly mountPath
  readonly clientAddress
  readonly requestId
  readonly hasBody
  readonly header
  readonly raw

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    details: Pick<ApiRequest, 'path' | 'query' | 'mountPath' | 'clientAddress' | 'requestId'>,
  ) {
    this.#response = response
    this.method = request.method ?? 'GET'
    this.path = details.path
    this.query = details.query
    this.mountPath = details.mountPath
    this.clientAddress = details.clientAddress
    this.requestId = details.requestId
    this.hasBody = hasBody(request)
    this.header = (name: string) => getHeader(request, name)
    this.raw = request
  }

  readBody(limit: number, createError: () => Error): Promise<Uint8Array> {
    return readBody(this.raw, limit, createError)
  }

  streamBody(): ReadableStream<Uint8Array> {
    return streamBody(this.raw)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= createDisconnectSignal(this.raw, this.#response))
  }
}

const answerUnknownPath: RequestListener = (request, response) => {
  sendError(request, response, createPathError())
}

function getHeader({ headers, rawHeaders }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  // Of several Content-Type headers, Node.js keeps the first; a proxy may have used another.
  if (name === 'content-type' && value !== undefined) return getRawValues(rawHeaders, name).join(', ')
  return Array.isArray(value) ? value.join(', ') : value
}

const getRawValues = (rawHeaders: readonly string[], name: string): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)

const getSocketAddress = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress

/** Returns the well-formed `X-Request-Id` of a request, or a new id. */
export function getRequestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return chooseRequestId(typeof sent === 'string' ? sent : undefined)
}

/** `listen` leaves a connection open whose client closed its half, so the end of this half counts, too. */
function createDisconnectSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new Error('The client disconnected'))
  }
  response.once('close', () => {
    if (getHttp2Stream(response)?.aborted ?? !response.writableFinished) abort()
  })
  onClientEnd(request, response, abort)
  return controller.signal
}
