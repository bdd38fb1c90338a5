import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const wellFormed = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the well-formed `X-Request-Id` of a request, or a new id. */
export function getRequestId(request: IncomingMessage): string {
  const own = request.headers['x-request-id']
  return typeof own === 'string' && wellFormed.test(own) ? own : randomUUID()
}
