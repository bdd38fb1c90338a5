import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { SallyportError, toErrorResponse, type ErrorCode } from '@sallyport/errors'
import { endConnection } from '@sallyport/internal/end-connection'
import { isClosing } from '@sallyport/internal/end-early'
import { toOriginForm } from '@sallyport/internal/request-target'
import { getRequestId } from './node-listener.ts'
import { createPipelining } from './pipelining.ts'
import { sendError } from './send-response.ts'

/** A running server. */
export interface HttpServer {
  readonly port: number
  /** Stops the server: finishes running requests, then closes all connections. */
  stop(options: StopOptions): Promise<void>
}

interface StopOptions {
  /**
   * Until this promise settles, the server accepts requests and closes each connection after its next response. Load
   * balancers notice the stop, and arriving requests are answered.
   * @default the server accepts no more requests
   */
  readonly drained?: Promise<unknown>
  /** The time for running requests after the server stopped accepting new ones, in milliseconds. */
  readonly graceMs: number
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The idle timeout of a connection, in milliseconds. @default 60,000 */
  readonly silenceMs?: number
}

/**
 * Starts an HTTP server that can be exposed to the internet and stops without losing requests.
 *
 * Headers time out after 10 seconds, requests after 60. Every response has an `X-Request-Id`, malformed HTTP is answered with
 * the error envelope, and a connection runs at most 32 pipelined requests at once.
 *
 * @example
 * ```ts
 * import type { Api } from '@sallyport/rest'
 * import { createNodeListener, listen } from '@sallyport/rest/node'
 *
 * declare const api: Api
 * const server = await listen(createNodeListener(api), { host: '127.0.0.1', port: 3000 })
 * process.once('SIGTERM', () => void server.stop({ graceMs: 10_000 }).then(() => api.close()))
 * ```
 */
export async function listen(
  listener: RequestListener,
  { host, port, silenceMs = 60_000 }: ListenOptions,
): Promise<HttpServer> {
  const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2000 }
  const unanswered = new Set<ServerResponse>()
  const pipelining = createPipelining({ closeAfterMs: Math.min(silenceMs, 5000) })
  let stopping = false
  const receive: RequestListener = (request, response) => {
    const { socket } = request
    pipelining.enter(socket, () => {
      response.on('close', () => {
        pipelining.leave(socket)
      })
      answer(request, response)
    })
  }
  const answer: RequestListener = (request, response) => {
    if (isClosing(request.socket)) return
    response.setHeader('X-Request-Id', getRequestId(request))
    if (stopping) response.setHeader('Connection', 'close')
    unanswered.add(response)
    response.on('close', () => {
      unanswered.delete(response)
    })
    if (request.method === 'OPTIONS' && request.url === '*') {
      response.writeHead(204).end()
      return
    }
    request.url = toOriginForm(request.url ?? '/')
    const problem = findProblem(request)
    if (problem === undefined) listener(request, response)
    else sendError(request, response, new SallyportError('BAD_REQUEST', problem), { close: true })
  }
  // Node.js would answer a request without Host, or with an unknown Expect, without the error envelope. A server may ignore
  // an expectation (RFC 9110, section 10.1.1).
  const server = createServer({ ...timeouts, requireHostHeader: false }, receive)
  // An unread response stays in memory until its connection closes.
  server.timeout = silenceMs
  // A sender may half-close the connection after its request (RFC 9112, section 9.6). By default, Node.js would close the
  // other half before the response, and the sender would repeat a recorded delivery.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  server.on('checkExpectation', receive)
  server.on('clientError', refuse)
  // Without a host, Node.js listens on all addresses; "::" fails on a system without IPv6.
  server.listen(host === '::' ? { port } : { host, port })
  await once(server, 'listening').catch((error: unknown) => {
    throw explainListenError(error, port)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop({ drained, graceMs }) {
      stopping = true
      // The client sends its next request on a new connection, so that no request is lost at the end.
      for (const response of unanswered) endConnection(response)
      if (drained) {
        // A request may be arriving on an idle connection.
        await drained
        // Reads data that the system has received for this process.
        await setImmediate()
      }
      await stop(server, connections, graceMs)
    },
  }
}

function explainListenError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EADDRINUSE') return error
  const message = `Another program uses port ${port}: stop it, or choose another port (${code})`
  return Object.assign(new Error(message, { cause: error }), { code })
}

async function stop(server: Server, connections: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const graceTimer = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  // Node.js does not count a connection without a request as idle. Two turns of the event loop read data that has arrived,
  // so that no started request is lost.
  await setImmediate()
  await setImmediate()
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  await closed
  clearTimeout(graceTimer)
}

/** Finds violations of RFC 9112 that Node.js accepts. */
function findProblem({ httpVersion, rawHeaders, url = '' }: IncomingMessage): string | undefined {
  // `headers` has only the first of several Host headers.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 'Send one Host header'
  // Express answers a URL that it cannot parse with an HTML page.
  return url.startsWith('/') && !url.includes('#') ? undefined : 'The target of the request is not a path'
}

const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive'],
}

function refuse(error: Error & { code?: string }, socket: Socket): void {
  // The rest of a rejected body is ignored; its request has a response.
  if (isClosing(socket)) {
    socket.destroySoon()
    return
  }
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [code, message] = refusals[error.code ?? ''] ?? ['BAD_REQUEST', 'The request is not valid HTTP']
  const { status, body } = toErrorResponse(new SallyportError(code, message))
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
