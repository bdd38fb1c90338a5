import { CodedError, codedResponse } from '@sallyport/errors'
import {
  normalizeBasePath,
  normalizePublicUrl,
  normalizeAddress,
  parseProviderSegment,
  type Gateway,
} from '@sallyport/webhooks'
import { readBody } from './read-body.ts'

export interface FetchHandlerOptions<Context extends readonly unknown[]> {
  /** The path that providers are found under. @default '/webhooks' */
  readonly basePath?: string
  /**
   * The client's address, as the platform tells it. A `Request` has none: without this function nothing is limited
   * by address.
   */
  readonly clientAddress?: (request: Request, ...context: Context) => string | undefined
  /**
   * What senders' addresses have in front of the request's path, such as `https://hooks.example.com`, for schemes that
   * sign the address. Behind a proxy that ends TLS or rewrites `Host`, the request does not tell it.
   *
   * @default the origin of the request's own address
   */
  readonly publicUrl?: string
}

/**
 * A gateway as a handler of fetch's `Request` and `Response`, for Workers, Deno, Bun and the frameworks that speak
 * them. What a platform passes behind the request is passed on to `clientAddress`.
 *
 * @throws TypeError when the base path does not begin with a slash, or `publicUrl` is no http or https origin
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
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)

  return async (request, ...context) => {
    const { method, headers, url } = request
    try {
      const { pathname, search, searchParams } = new URL(url)
      const provider = parseProviderSegment(pathname, basePath)
      if (provider === undefined) throw new CodedError(404, 'NOT_FOUND', 'There is nothing here')
      const address = clientAddress?.(request, ...context)
      const answer = await gateway.handle({
        method,
        provider,
        headers,
        query: searchParams,
        url: publicUrl === undefined ? url : publicUrl + pathname + search,
        readBody: (sink) => readBody(request, sink),
        address: address && normalizeAddress(address),
      })
      return new Response(answer.status === 204 ? null : answer.body, answer)
    } catch (error) {
      const answer = codedResponse(error)
      return Response.json(answer.body, answer)
    }
  }
}
