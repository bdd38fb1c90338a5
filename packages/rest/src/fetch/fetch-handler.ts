import { Buffer } from 'node:buffer'
import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import type { Api } from '../api/api-options.ts'
import { cancelStream, createErrorResponse } from '../api/api-response.ts'
import { checkMount, chooseRequestId, createPathError, splitTarget, stripMount } from '../api/host-request.ts'

export interface FetchHandlerOptions {
  /** The path that the API is mounted at, such as `/api/v1`. Other paths are answered 404. @default the root */
  readonly mount?: string
  /**
   * Returns the address of the client, which the Fetch standard does not have: on Cloudflare Workers,
   * `(request) => request.headers.get('cf-connecting-ip') ?? undefined`.
   *
   * @default unknown: all clients without credentials share one rate limit
   */
  readonly clientAddress?: (request: Request) => string | undefined
}

/**
 * Creates a handler from a `Request` to a `Response`.
 *
 * @example
 * ```ts
 * import type { Api } from '@sallyport/rest'
 * import { createFetchHandler } from '@sallyport/rest/fetch'
 *
 * declare const api: Api
 * export default { fetch: createFetchHandler(api, { mount: '/api/v1' }) }
 * ```
 */
export function createFetchHandler(
  api: Api,
  { mount = '', clientAddress = () => undefined }: FetchHandlerOptions = {},
): (request: Request) => Promise<Response> {
  if (mount !== '') checkMount(mount)

  return (request) => answerFetch(api, request, { getMount: () => mount, clientAddress })
}

interface AnswerOptions extends Required<Pick<FetchHandlerOptions, 'clientAddress'>> {
  /** Returns the mount path for the path of a request. */
  readonly getMount: (path: string) => string
}

/** Answers a request. A path outside of the mount path is 404. */
export async function answerFetch(
  api: Api,
  request: Request,
  { getMount, clientAddress }: AnswerOptions,
): Promise<Response> {
  const { method, headers } = request
  const [path, query] = splitTarget(request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#[^]*/, ''))
  const mount = getMount(path)
  const below = stripMount(path, mount)
  const header = (name: string) => headers.get(name) ?? undefined
  if (below === undefined) {
    const { body, status, headers: sent } = createErrorResponse({ header }, createPathError())
    return new Response(body as string, { status, headers: sent })
  }
  const response = await api.handle({
    method,
    path: below,
    query,
    mountPath: mount,
    header,
    hasBody: request.body !== null && headers.get('content-length') !== '0',
    readBody: (limit, createError) => readBody(request, limit, createError),
    streamBody: () => streamBody(request),
    clientAddress: clientAddress(request),
    requestId: chooseRequestId(headers.get('x-request-id')),
    signal: request.signal,
    raw: request,
  })
  if (method === 'HEAD') cancelStream(response.body)
  const body = method === 'HEAD' ? null : (response.body as string | null)
  const sent = new Headers(response.headers)
  for (const cookie of response.cookies ?? []) sent.append('Set-Cookie', cookie)
  return new Response(body, { status: response.status, headers: sent })
}

function streamBody({ body, bodyUsed }: Request): ReadableStream<Uint8Array> {
  if (bodyUsed) throw new Error('The body was read before the API: pass the request unread')
  return (body as ReadableStream<Uint8Array> | null) ?? new Response('').body ?? new ReadableStream()
}

const bodyTimeoutMs = 10_000

async function readBody(request: Request, limit: number, createError: () => Error): Promise<Uint8Array> {
  const { body } = request
  if (body === null) return new Uint8Array()
  if (request.bodyUsed) throw new Error('The body was read before the API: pass the request unread')
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  const timeout = AbortSignal.timeout(bodyTimeoutMs)
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), timeout)
      if (done) break
      length += value.length
      if (length > limit) break
      chunks.push(value)
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    if (timeout.aborted) throw new SallyportError('REQUEST_TIMEOUT', 'The body took too long to arrive')
    throw new SallyportError('BAD_REQUEST', 'The body could not be read', { cause: error })
  }
  if (length > limit) {
    reader.cancel().catch(() => undefined)
    throw createError()
  }
  return Buffer.concat(chunks)
}
