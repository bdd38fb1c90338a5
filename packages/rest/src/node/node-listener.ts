import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { hasBody } from '@sallyport/internal/end-early'
import type { Api } from '../api/api-options.ts'
import { checkMount, chooseRequestId, createPathError, splitTarget, stripMount } from '../api/host-request.ts'
import { readBody } from './read-body.ts'
import { sendError, sendResponse } from './send-response.ts'

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

/**
 * Creates a request listener for `node:http` and middleware for Express.
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
export function createNodeListener(api: Api, options: NodeListenerOptions = {}): RequestListener {
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

  return (request, response) => {
    const { method = 'GET', url = '/' } = request
    // Express removes its own mount path from the URL.
    const { baseUrl = '' } = request as { readonly baseUrl?: string }
    const [path, query] = splitTarget(url)
    const found = matchMount(path)
    if (found === undefined) {
      otherwise(request, response)
      return
    }
    let signal: AbortSignal | undefined
    api
      .handle({
        method,
        path: found.below,
        query,
        mountPath: baseUrl + found.mount,
        header: (name) => getHeader(request, name),
        hasBody: hasBody(request),
        readBody: (limit, exceeded) => readBody(request, limit, exceeded),
        clientAddress: clientAddress(request),
        requestId: requestId(request, response),
        get signal() {
          return (signal ??= createDisconnectSignal(response))
        },
        raw: request,
      })
      .then((answer) => {
        sendResponse(request, response, answer, api.bodyLimit)
      })
      .catch(() => response.destroy())
  }
}

const answerUnknownPath: RequestListener = (request, response) => {
  sendError(request, response, createPathError())
}

/** Of several Content-Type headers, Node.js keeps the first; a proxy may have used another. */
function getHeader(request: IncomingMessage, name: string): string | undefined {
  if (name === 'content-type') return request.headersDistinct['content-type']?.join(', ')
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const getSocketAddress = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress

/** Returns the well-formed `X-Request-Id` of a request, or a new id. */
export function getRequestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return chooseRequestId(typeof sent === 'string' ? sent : undefined)
}

function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client disconnected'))
  })
  return controller.signal
}
