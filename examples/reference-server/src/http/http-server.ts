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
import { isLingering } from '@sallyport/webhooks/node'
import { createPipeline } from './pipeline.ts'
import { requestIdOf } from './request-id.ts'
import { sendError } from './response.ts'

export interface HttpServer {
  readonly port: number
  stop(patience: StopPatience): Promise<void>
}

interface StopPatience {
  /**
   * Until then it goes on as before, but for closing each connection with its next answer: those who choose between
   * servers learn of the stop, and what was already on its way arrives.
   *
   * @default nothing more is accepted at once
   */
  readonly drained?: Promise<unknown>
  /** How long requests in flight may take from then on, when nothing more is accepted, in milliseconds. */
  readonly graceMs: number
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How long a connection may neither take nor send a byte, in milliseconds. @default 60,000 */
  readonly silenceMs?: number
}

/**
 * Listens, with bounded patience for headers and bodies, an `X-Request-Id` on every answer, and the error envelope for
 * what is no HTTP.
 */
export async function listen(
  listener: RequestListener,
  { host, port, silenceMs = 60_000 }: ListenOptions,
): Promise<HttpServer> {
  const patience = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2000 }
  const unanswered = new Set<ServerResponse>()
  const pipeline = createPipeline({ closeAfterMs: Math.min(silenceMs, 5000) })
  let stopping = false
  const receive: RequestListener = (request, response) => {
    const { socket } = request
    pipeline.enter(socket, () => {
      response.on('close', () => {
        pipeline.leave(socket)
      })
      answer(request, response)
    })
  }
  const answer: RequestListener = (request, response) => {
    if (isLingering(request.socket)) return
    response.setHeader('X-Request-Id', requestIdOf(request))
    if (stopping) response.setHeader('Connection', 'close')
    unanswered.add(response)
    response.on('close', () => {
      unanswered.delete(response)
    })
    if (request.method === 'OPTIONS' && request.url === '*') {
      response.writeHead(204).end()
      return
    }
    // A proxy may send a whole address (RFC 9112, section 3.2.2); it means its path.
    request.url = (request.url ?? '/').replace(/^https?:\/\/[^/?]*\/?/i, '/')
    const problem = problemOf(request)
    if (problem === undefined) listener(request, response)
    else sendError(request, response, new SallyportError('BAD_REQUEST', problem), { connection: 'close' })
  }
  // Node.js itself would answer a request without Host, and one with an Expect that it does not know, with a bare
  // status. An expectation may be left unmet (RFC 9110, section 10.1.1).
  const server = createServer({ ...patience, requireHostHeader: false }, receive)
  // An answer that nobody reads is kept in memory for as long as its connection.
  server.timeout = silenceMs
  // A sender may close its half of the connection behind its request (RFC 9112, section 9.6). Node.js would close the
  // other half before the answer, and what was recorded would be sent again.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  server.on('checkExpectation', receive)
  server.on('clientError', refuse)
  // Without a host Node listens on all addresses, also where there is no IPv6; "::" would fail there.
  server.listen(host === '::' ? { port } : { host, port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop({ drained, graceMs }) {
      stopping = true
      // Told to close its connection, a client sends what comes next elsewhere, and nothing is cut off at the end.
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close')
      if (drained) {
        // A connection that is idle is in use when its client has just sent something, and nobody here can know.
        await drained
        // What the system has taken for this process, and it has not seen yet, would be reset.
        await setImmediate()
      }
      await stop(server, connections, graceMs)
    },
  }
}

async function stop(server: Server, connections: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const impatient = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  // To Node.js, a connection is not idle until it has had a request. The second turn begins with a look at what has
  // arrived: nothing is cut off that has begun to send.
  await setImmediate()
  await setImmediate()
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  await closed
  clearTimeout(impatient)
}

/** What is wrong with a request that is valid HTTP to Node.js, and not to RFC 9112. */
function problemOf({ httpVersion, rawHeaders, url = '' }: IncomingMessage): string | undefined {
  // Node.js keeps the first of several in `headers`, and its other lists are made of all headers for this alone.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 'Send one Host header'
  // Express answers what it cannot take apart with a page of its own.
  return url.startsWith('/') && !url.includes('#') ? undefined : 'The target of the request is no path'
}

const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request took too long to arrive'],
}

function refuse(error: Error & { code?: string }, socket: Socket): void {
  // A body that was given up may end as it likes: its request has its answer.
  if (isLingering(socket)) {
    socket.destroySoon()
    return
  }
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [code, message] = refusals[error.code ?? ''] ?? ['BAD_REQUEST', 'The request is no valid HTTP']
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
