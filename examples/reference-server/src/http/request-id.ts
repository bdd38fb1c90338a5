import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const wellFormed = /^[A-Za-z0-9._-]{1,64}$/

/** The id that a request is traced by: the caller's own when it is well formed, a new one otherwise. */
export function requestIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id']
  return typeof own === 'string' && wellFormed.test(own) ? own : randomUUID()
}
