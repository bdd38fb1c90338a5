import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { toErrorResponse } from '@sallyport/errors'
import {
  normalizeBasePath,
  normalizePublicUrl,
  normalizeAddress,
  parseProviderSegment,
  type Gateway,
  type GatewayRequest,
  type GatewayResponse,
} from '@sallyport/webhooks'
import { RequestHeaders } from './headers.ts'
import { endLingering, isLingering, isUnread } from './linger.ts'
import { readBody } from './read-body.ts'
import { turnRead } from './turn.ts'

export interface NodeListenerOptions {
  /** The path that providers are found under. @default '/webhooks' */
  readonly basePath?: string
  /**
   * The client's address. Behind proxies, tell it from the headers of those that you trust.
   *
   * @default the socket's, IPv4-mapped ones as IPv4
   */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined
  /** What logs know a request by; it comes back in the gateway's observation. @default nothing */
  readonly requestId?: (request: IncomingMessage, response: ServerResponse) => string | undefined
  /**
   * What senders' addresses have in front of the request's path, such as `https://hooks.example.com`, for schemes that
   * sign the address.
   */
  readonly publicUrl?: string
  /** Answers every other path. @default 404 `NOT_FOUND` */
  readonly otherwise?: RequestListener
}

/**
 * A gateway as a listener of `node:http` or `node:https`.
 *
 * It has to stand where bodies are still unread: in front of a framework, or behind one that has not parsed them. Nor may
 * anybody else read them afterwards: the listener begins to, later in the same turn of the event loop.
 *
 * @throws TypeError when the base path does not begin with a slash, or `publicUrl` is no http or https origin
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { Gateway } from '@sallyport/webhooks'
 * import { createNodeListener } from '@sallyport/webhooks/node'
 *
 * declare const gateway: Gateway
 * createServer(createNodeListener(gateway)).listen(3111)
 * ```
 */
export function createNodeListener(gateway: Gateway, options: NodeListenerOptions = {}): RequestListener {
  const { clientAddress = socketAddress, requestId: idOf, otherwise = notFound } = options
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)

  return (request, response) => {
    if (isLingering(request.socket)) return
    const target = originForm(request.url ?? '/')
    const queryAt = target.indexOf('?')
    const path = queryAt === -1 ? target : target.slice(0, queryAt)
    let provider: string | undefined
    let address: string | undefined
    let requestId: string | undefined
    try {
      provider = parseProviderSegment(path, basePath)
      if (provider !== undefined) {
        address = clientAddress(request)
        requestId = idOf?.(request, response)
      }
    } catch (error) {
      respond(request, response, errorResponse(error))
      return
    }
    if (provider === undefined) {
      otherwise(request, response)
      return
    }
    const given: GatewayRequest = {
      method: request.method ?? 'GET',
      provider,
      headers: new RequestHeaders(request),
      readBody: (sink) => readBody(request, sink),
      ...(queryAt !== -1 && { query: new URLSearchParams(target.slice(queryAt)) }),
      ...(address !== undefined && { address }),
      ...(requestId !== undefined && { requestId }),
      ...(publicUrl !== undefined && { url: publicUrl + target }),
    }
    // Somebody in front has just begun to read it as well, and it would flow past this reader within the turn.
    const whenRead = request.readableFlowing === true ? Promise.resolve() : turnRead()
    whenRead
      .then(() => gateway.handle(given))
      .then((answer) => {
        respond(request, response, answer)
      })
      .catch(() => {
        // An answer that cannot be written is none; the sender tries again.
        response.destroy()
      })
  }
}

/** A proxy's request line may hold a whole address (RFC 9112, section 3.2.2). */
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')

const socketAddress = (request: IncomingMessage): string | undefined =>
  request.socket.remoteAddress === undefined ? undefined : normalizeAddress(request.socket.remoteAddress)

const notFound: RequestListener = (request, response) => {
  const error = { code: 'NOT_FOUND', message: 'There is nothing here' }
  respond(request, response, { status: 404, headers: jsonType, body: JSON.stringify({ error }) })
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' }

function errorResponse(error: unknown): GatewayResponse {
  const { status, headers, body } = toErrorResponse(error)
  return { status, headers: { ...headers, ...jsonType }, body: JSON.stringify(body) }
}

function respond(request: IncomingMessage, response: ServerResponse, answer: GatewayResponse): void {
  if (response.destroyed) return
  const bodiless = answer.status === 204 || request.method === 'HEAD'
  const length = answer.status === 204 ? {} : { 'content-length': Buffer.byteLength(answer.body) }
  if (!isUnread(request)) {
    response.writeHead(answer.status, { ...answer.headers, ...length })
    if (bodiless) response.end()
    else response.end(answer.body)
    return
  }
  response.writeHead(answer.status, { ...answer.headers, ...length, connection: 'close' })
  endLingering(request, response, answer.body)
}
