import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { CodedError, toErrorResponse } from '@sallyport/errors'
import { normalizeAddress } from '@sallyport/internal/client-address'
import type { Gateway, GatewayRequest, GatewayResponse } from '../gateway/gateway-contract.ts'
import { normalizeBasePath, normalizePublicUrl, parseWebhookPath, type WebhookPath } from '../gateway/path.ts'
import { endEarly, isClosing, isUnread } from '@sallyport/internal/end-early'
import { toOriginForm } from '@sallyport/internal/request-target'
import { readBody, RequestHeaders, waitForTurn } from './request.ts'

export interface NodeListenerOptions {
  /** The path before the name of the provider. @default '/webhooks' */
  readonly basePath?: string
  /**
   * Returns the client's address. With proxies, read the address from a header of a trusted proxy.
   *
   * @default the address of the socket, with IPv4-mapped addresses as IPv4
   */
  readonly clientAddress?: (request: IncomingMessage) => string | undefined
  /** Returns the request id for logs, which the gateway's observation contains. @default no id */
  readonly requestId?: (request: IncomingMessage, response: ServerResponse) => string | undefined
  /** The public origin, such as `https://hooks.example.com`, for schemes that sign the URL. */
  readonly publicUrl?: string
  /** Handles every other path. @default the next middleware, otherwise 404 `NOT_FOUND` */
  readonly otherwise?: RequestListener
}

/**
 * A listener of `node:http` and `node:http2`, and middleware of Express and Connect: other paths go to `next` if it is given.
 */
export type NodeListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void

/**
 * Creates a listener of `node:http`, `node:https` or `node:http2` for a gateway. The listener is middleware, too:
 * `app.use(createNodeListener(gateway))`.
 *
 * The listener needs unread bodies: mount it before body parsers, and do not read the body elsewhere. The listener starts
 * to read later in the same turn of the event loop. If a platform has read the body, such as Cloud Functions and Firebase, the
 * listener uses the bytes in `request.rawBody`.
 *
 * @throws TypeError if the base path does not start with a slash, or if `publicUrl` is not an http or https URL
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
export function createNodeListener(gateway: Gateway, options: NodeListenerOptions = {}): NodeListener {
  const { clientAddress = socketAddress, requestId: getRequestId, otherwise } = options
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)

  return (incoming, outgoing, next) => {
    // Requests and responses of HTTP/2 have the same members.
    const request = incoming as IncomingMessage
    const response = outgoing as ServerResponse
    if (isClosing(request.socket)) return
    // A router that mounts middleware removes its path from `url`.
    const { originalUrl = request.url ?? '/' } = request as { readonly originalUrl?: string }
    const target = toOriginForm(originalUrl)
    const queryAt = target.indexOf('?')
    const path = queryAt === -1 ? target : target.slice(0, queryAt)
    let webhook: WebhookPath | undefined
    let address: string | undefined
    let requestId: string | undefined
    try {
      webhook = parseWebhookPath(path, basePath, gateway)
      if (webhook !== undefined) {
        address = clientAddress(request)
        requestId = getRequestId?.(request, response)
      }
    } catch (error) {
      respond(request, response, createErrorResponse(error))
      return
    }
    if (webhook === undefined) {
      if (otherwise) otherwise(request, response)
      else if (next) next()
      else notFound(request, response)
      return
    }
    const gatewayRequest: GatewayRequest = {
      method: request.method ?? 'GET',
      ...webhook,
      headers: new RequestHeaders(request),
      readBody: (sink) => readBody(request, sink),
      ...(queryAt !== -1 && { query: new URLSearchParams(target.slice(queryAt)) }),
      ...(address !== undefined && { address }),
      ...(requestId !== undefined && { requestId }),
      ...(publicUrl !== undefined && { url: publicUrl + target }),
    }
    // A body that another reader has started to read would be lost within the turn.
    const ready = request.readableFlowing === true ? Promise.resolve() : waitForTurn()
    ready
      .then(() => gateway.handle(gatewayRequest))
      .then((answer) => {
        respond(request, response, answer)
      })
      .catch(() => {
        // The response cannot be written: the sender retries.
        response.destroy()
      })
  }
}

const socketAddress = (request: IncomingMessage): string | undefined =>
  request.socket.remoteAddress === undefined ? undefined : normalizeAddress(request.socket.remoteAddress)

const notFound: RequestListener = (request, response) => {
  respond(request, response, createErrorResponse(new CodedError(404, 'NOT_FOUND', 'There is nothing here')))
}

function createErrorResponse(error: unknown): GatewayResponse {
  const { status, headers, body } = toErrorResponse(error)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...headers, ...type }, body: JSON.stringify(body) }
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
  // HTTP/2 has no such header.
  const close = request.httpVersionMajor === 1 && { connection: 'close' }
  response.writeHead(answer.status, { ...answer.headers, ...length, ...close })
  endEarly(request, response, answer.body)
}
