import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Api } from '../api/api-options.ts'
import { readBody } from './read-body.ts'
import { sendResponse } from './send-response.ts'

export interface NodeListenerOptions {
  /** The paths that the API is mounted at, the canonical one first. @default the root */
  readonly mount?: string | readonly string[]
  /** Answers requests to other paths. @default the API answers them 404 */
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
  const { otherwise, clientAddress = getSocketAddress, requestId = getRequestId } = options
  const mounts = typeof options.mount === 'string' ? [options.mount] : (options.mount ?? [])
  for (const mount of mounts)
    if (!/^(?:\/[^/?#]+)+$/.test(mount))
      throw new TypeError(`The mount path ${mount} must have the form /api/v1`)

  return (request, response) => {
    const { method = 'GET', url = '/' } = request
    // Express removes its own mount path from the URL.
    const { baseUrl = '' } = request as { readonly baseUrl?: string }
    const mount = mounts.find((path) => url.startsWith(path) && isSegmentEnd(url[path.length]))
    if (mount === undefined && mounts.length > 0 && otherwise !== undefined) {
      otherwise(request, response)
      return
    }
    const rest = mount === undefined ? url : url.slice(mount.length)
    const at = rest.indexOf('?')
    // The query keeps its `?`, because an empty query and a second `?` are different.
    const [path, query] = at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)]
    const { headers } = request
    let signal: AbortSignal | undefined
    api
      .handle({
        method,
        path: path === '' ? '/' : path,
        query,
        mountPath: baseUrl + (mount ?? ''),
        header: (name) => getHeader(request, name),
        hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
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

/** Of several Content-Type headers, Node.js keeps the first; a proxy may have used another. */
function getHeader(request: IncomingMessage, name: string): string | undefined {
  if (name === 'content-type') return request.headersDistinct['content-type']?.join(', ')
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const getSocketAddress = ({ socket }: IncomingMessage): string | undefined => socket.remoteAddress

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the well-formed `X-Request-Id` of a request, or a new id. */
export function getRequestId({ headers }: IncomingMessage): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && wellFormedId.test(own) ? own : randomUUID()
}

function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client disconnected'))
  })
  return controller.signal
}

/** Reports whether a path segment ends before a character. */
function isSegmentEnd(character: string | undefined): boolean {
  return character === undefined || character === '/' || character === '?'
}
