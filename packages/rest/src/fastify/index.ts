/**
 * APIs as plugins of Fastify.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import { passRequests } from '@sallyport/internal/fastify'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Api } from '../api/api-options.ts'
import { createNodeListener, getRequestId } from '../node/node-listener.ts'

interface FastifyApiOptions {
  /** Returns the address of the client. @default `request.ip`, which follows the option `trustProxy` */
  readonly clientAddress?: (request: FastifyRequest) => string | undefined
  /** Returns the id of a request. @default `X-Request-Id` if it has 1 to 64 safe characters, otherwise a new UUID */
  readonly requestId?: (request: FastifyRequest) => string
}

/**
 * Creates a plugin that answers every request below the prefix of `app.register`.
 *
 * The API reads the body and sends the response itself, so the parsers, validators, serializers and `onSend` hooks of Fastify
 * do not run; its other hooks do.
 *
 * @example
 * ```ts
 * import { fastify } from 'fastify'
 * import type { Api } from '@sallyport/rest'
 * import { createFastifyPlugin } from '@sallyport/rest/fastify'
 *
 * declare const api: Api
 * await fastify().register(createFastifyPlugin(api), { prefix: '/api/v1' }).listen({ port: 3000 })
 * ```
 */
export function createFastifyPlugin(
  api: Api,
  { clientAddress = ({ ip }) => ip, requestId = ({ raw }) => getRequestId(raw) }: FastifyApiOptions = {},
): FastifyPluginCallback {
  return (app, _, done) => {
    const mount = app.prefix.replace(/\/$/, '')
    if (/[:*]/.test(mount)) {
      done(new TypeError(`The prefix ${mount} must not have parameters`))
      return
    }

    const requests = new WeakMap<IncomingMessage, FastifyRequest>()
    const getRequest = (raw: IncomingMessage) => requests.get(raw) as FastifyRequest
    const listener = createNodeListener(api, {
      ...(mount !== '' && { mount }),
      clientAddress: (raw) => clientAddress(getRequest(raw)),
      requestId: (raw) => requestId(getRequest(raw)),
    })

    const answer = passRequests(app, ['/', '/*'], (request, { raw: response }) => {
      requests.set(request.raw, request)
      listener(request.raw, response)
    })
    // Fastify has no routes for methods such as PROPFIND. At the root, these requests belong to the application.
    if (mount !== '') app.setNotFoundHandler(answer)
    done()
  }
}
