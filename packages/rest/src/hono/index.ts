/**
 * APIs as handlers of Hono.
 *
 * @module
 */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Api } from '../api/api-options.ts'
import { answerFetch } from '../fetch/fetch-handler.ts'

interface HonoHandlerOptions {
  /**
   * Returns the address of the client. Behind a proxy, read the header that the proxy sets.
   *
   * @default the address of the socket with `@hono/node-server`, otherwise unknown: all clients without credentials then share
   * one rate limit
   */
  readonly clientAddress?: (context: Context) => string | undefined
}

/**
 * Creates a handler that answers every request of a route that ends with `/*`. The rest of the route is the mount path.
 *
 * Middleware must not read the body: requests with a read body are answered 500, and `onError` of the API receives the cause.
 *
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import type { Api } from '@sallyport/rest'
 * import { createHonoHandler } from '@sallyport/rest/hono'
 *
 * declare const api: Api
 * export default new Hono().all('/api/v1/*', createHonoHandler(api))
 * ```
 */
export function createHonoHandler(
  api: Api,
  { clientAddress = getSocketAddress }: HonoHandlerOptions = {},
): (context: Context) => Promise<Response> {
  return async (context) => {
    const { raw } = context.req
    // A route such as /:tenant/* has another mount path for each request.
    const segments = routePath(context)
      .replace(/\/?\*$/, '')
      .split('/').length
    return await answerFetch(api, raw, {
      getMount: (path) => path.split('/', segments).join('/'),
      clientAddress: () => clientAddress(context),
    })
  }
}

/** Reads the request of Node.js, as `getConnInfo` of `@hono/node-server/conninfo` does. */
function getSocketAddress({ env }: Context): string | undefined {
  const bindings = Object(env) as NodeBindings & { readonly server?: NodeBindings }
  return (bindings.server ?? bindings).incoming?.socket.remoteAddress
}

interface NodeBindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string } }
}
