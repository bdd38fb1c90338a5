/**
 * APIs as plugins of Fastify.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../api/api-options.ts'
import { createNodeListener, getRequestId } from '../node/node-listener.ts'

export interface FastifyApiOptions {
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

    const answer = (request: FastifyRequest, reply: FastifyReply): void => {
      reply.hijack()
      const { raw } = request
      if ('isLightMyRequest' in raw) completeInjected(raw)
      // Hooks such as those of @fastify/helmet have set headers.
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      requests.set(raw, request)
      listener(raw, reply.raw)
    }

    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null)
    })
    app.setErrorHandler((error: FastifyError, request, reply) => {
      // The API answers a malformed Content-Type in its format.
      if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
      answer(request, reply)
    })
    app.all('/', answer)
    app.all('/*', answer)
    done()
  }
}

/** Adds properties of Node.js that requests of `app.inject` do not have. */
function completeInjected(raw: IncomingMessage): void {
  const headers = Object.entries(raw.headers).map(([name, value = '']) => [name, [value].flat()])
  Object.defineProperties(raw, {
    headersDistinct: { value: Object.fromEntries(headers) as unknown },
    complete: { get: () => raw.readableEnded },
  })
}
