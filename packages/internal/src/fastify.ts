import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Passes the requests of some paths to a listener that reads the body and sends the response itself. The parsers,
 * validators, serializers and `onSend` hooks of Fastify do not run for these paths; its other hooks do.
 *
 * @returns the handler of these paths
 */
export function passRequests(
  app: FastifyInstance,
  paths: readonly string[],
  listener: (request: FastifyRequest, reply: FastifyReply) => void,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
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
  for (const path of paths) app.all(path, answer)
  return answer
}

/** Adds the property of Node.js that requests of `app.inject` do not have. */
function completeInjected(raw: IncomingMessage): void {
  Object.defineProperty(raw, 'complete', { get: () => raw.readableEnded })
}
