import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endConnection } from './end-connection.ts'

/**
 * Passes the requests of some paths to a listener that reads the body and sends the response itself. The parsers,
 * validators, serializers and `onSend` hooks of Fastify do not run for these paths; its other hooks do. When the application
 * closes, each connection ends with its response.
 *
 * @returns the handler of these paths
 */
export function passRequests(
  app: FastifyInstance,
  paths: readonly string[],
  listener: (request: FastifyRequest, reply: FastifyReply) => void,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const unanswered = new Set<ServerResponse>()
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    unanswered.add(reply.raw)
    reply.raw.once('close', () => unanswered.delete(reply.raw))
    if ('isLightMyRequest' in request.raw) completeInjected(request.raw)
    // Hooks such as those of @fastify/helmet have set headers.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    listener(request, reply)
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => {
    parsed(null)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The listener answers a malformed Content-Type in its format.
    if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
    answer(request, reply)
  })
  // Otherwise app.close() would wait until the clients close their connections, or for the keep-alive timeout of 72 seconds.
  app.addHook('preClose', (closed) => {
    for (const response of unanswered) endConnection(response)
    closed()
  })
  for (const path of paths) app.all(path, answer)
  return answer
}

/** Adds the property of Node.js that requests of `app.inject` do not have. */
function completeInjected(raw: IncomingMessage): void {
  Object.defineProperty(raw, 'complete', { get: () => raw.readableEnded })
}
