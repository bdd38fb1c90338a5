import { toErrorResponse } from '@sallyport/errors'
import { normalBasePath, plainAddress, providerSegment, type Gateway } from '@sallyport/webhooks'
import { readBody } from './read-body.ts'

export interface FetchHandlerOptions<Context extends readonly unknown[]> {
  /** The path that providers are found under. @default '/webhooks' */
  readonly basePath?: string
  /**
   * The client's address, as the platform tells it. A `Request` has none: without this function nothing is limited
   * by address.
   */
  readonly clientAddress?: (request: Request, ...context: Context) => string | undefined
}

/**
 * A gateway as a handler of fetch's `Request` and `Response`, for Workers, Deno, Bun and the frameworks that speak
 * them. What a platform passes behind the request is passed on to `clientAddress`.
 *
 * @example
 * ```ts
 * import type { Gateway } from '@sallyport/webhooks'
 * import { createFetchHandler } from '@sallyport/webhooks/fetch'
 *
 * declare const gateway: Gateway
 * export default {
 *   fetch: createFetchHandler(gateway, {
 *     clientAddress: (request) => request.headers.get('cf-connecting-ip') ?? undefined,
 *   }),
 * }
 * ```
 */
export function createFetchHandler<Context extends readonly unknown[]>(
  gateway: Gateway,
  options: FetchHandlerOptions<Context> = {},
): (request: Request, ...context: Context) => Promise<Response> {
  const { clientAddress } = options
  const basePath = normalBasePath(options.basePath)

  return async (request, ...context) => {
    const url = new URL(request.url)
    let provider: string | undefined
    let address: string | undefined
    try {
      provider = providerSegment(url.pathname, basePath)
      if (provider !== undefined) address = clientAddress?.(request, ...context)
    } catch (error) {
      const { status, headers, body } = toErrorResponse(error)
      return Response.json(body, { status, headers })
    }
    if (provider === undefined) {
      const error = { code: 'NOT_FOUND', message: 'There is nothing here' }
      return Response.json({ error }, { status: 404 })
    }
    const { status, headers, body } = await gateway.handle({
      method: request.method,
      provider,
      headers: request.headers,
      query: url.searchParams,
      url: request.url,
      readBody: (sink) => readBody(request, sink),
      ...(address !== undefined && { address: plainAddress(address) }),
    })
    return new Response(status === 204 ? null : body, { status, headers })
  }
}
