/**
 * Gateways as plugins of Fastify.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import { passRequests } from '@sallyport/internal/fastify'
import type { Gateway } from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'

export interface FastifyWebhooksOptions {
  /** The public origin, such as `https://hooks.example.com`, for schemes that sign the URL. */
  readonly publicUrl?: string
  /** Returns the address of the client. @default `request.ip`, which follows the option `trustProxy` */
  readonly clientAddress?: (request: FastifyRequest) => string | undefined
}

/**
 * Creates a plugin that passes every request below the prefix of `app.register` to a gateway: `POST {prefix}/:provider`.
 *
 * The gateway reads the body and sends the response itself. The parsers of the application do not change the signed bytes.
 *
 * @example
 * ```ts
 * import { fastify } from 'fastify'
 * import type { Gateway } from '@sallyport/webhooks'
 * import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
 *
 * declare const gateway: Gateway
 * await fastify().register(createFastifyPlugin(gateway), { prefix: '/webhooks' }).listen({ port: 3000 })
 * ```
 */
export function createFastifyPlugin(
  gateway: Gateway,
  { publicUrl, clientAddress = ({ ip }) => ip }: FastifyWebhooksOptions = {},
): FastifyPluginCallback {
  return (app, _, done) => {
    const requests = new WeakMap<IncomingMessage, FastifyRequest>()
    const listener = createNodeListener(gateway, {
      basePath: app.prefix === '' ? '/webhooks' : app.prefix,
      ...(publicUrl !== undefined && { publicUrl }),
      requestId: (raw) => requests.get(raw)?.id,
      clientAddress: (raw) => clientAddress(requests.get(raw) as FastifyRequest),
    })
    passRequests(app, app.prefix === '' ? ['/webhooks/*'] : ['/*'], (request, reply) => {
      requests.set(request.raw, request)
      listener(request.raw, reply.raw)
    })
    done()
  }
}
