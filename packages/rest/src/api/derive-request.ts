import { Buffer } from 'node:buffer'
import type { DispatchedRequest } from './api-context.ts'
import type { ApiRequest } from './api-request.ts'

/** Headers that belong to the content or the conditions of one request. */
const ownHeader =
  /^(?:accept|content|if|transfer)-|^(?:accept|expect|idempotency-key|last-event-id|prefer|range|trailer)$/

/** Derives a request with the credentials and the client of another request. */
export function deriveRequest(
  request: ApiRequest,
  { method, path, query, body }: DispatchedRequest,
): ApiRequest {
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body))
  const headers: Readonly<Record<string, string>> = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return {
    ...request,
    ...{ method, path, query },
    header: (name) => headers[name] ?? (ownHeader.test(name) ? undefined : request.header(name)),
    hasBody: body !== undefined,
    readBody: (limit, createError) =>
      bytes.length > limit ? Promise.reject(createError()) : Promise.resolve(bytes),
    streamBody: () => new Blob([bytes]).stream(),
  }
}
