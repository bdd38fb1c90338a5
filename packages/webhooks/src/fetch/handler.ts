import { CodedError, codedResponse } from '@sallyport/errors'
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
    const { method, headers, url } = request
    try {
      const { pathname, searchParams } = new URL(url)
      const provider = providerSegment(pathname, basePath)
      if (provider === undefined) throw new CodedError(404, 'NOT_FOUND', 'There is nothing here')
      const address = clientAddress?.(request, ...context)
      const answer = await gateway.handle({
        method,
        provider,
        headers,
        query: searchParams,
        url,
        readBody: (sink) => readBody(request, sink),
        address: address && plainAddress(address),
      })
      return new Response(answer.status === 204 ? null : answer.body, answer)
    } catch (error) {
      const answer = codedResponse(error)
      return Response.json(answer.body, answer)
    }
  }
}
