import { withDeadline } from '@sallyport/internal/deadline'
import { CodedError, codedResponse } from '@sallyport/errors'
import { normalizeAddress } from '@sallyport/internal/client-address'
import type { BodySink } from '../gateway/body-budget.ts'
import type { Gateway } from '../gateway/gateway-contract.ts'
import { normalizeBasePath, normalizePublicUrl, parseWebhookPath } from '../gateway/path.ts'
import { bodyAborted, bodyTaken, bodyTimeout } from '../ports/refusals.ts'

export interface FetchHandlerOptions<Context extends readonly unknown[]> {
  /** The path before the name of the provider. @default '/webhooks' */
  readonly basePath?: string
  /** Returns the client's address. A `Request` has no address: without this function, no limit per address applies. */
  readonly clientAddress?: (request: Request, ...context: Context) => string | undefined
  /**
   * The public origin, such as `https://hooks.example.com`, for schemes that sign the URL. Set it if a proxy terminates
   * TLS or rewrites `Host`.
   *
   * @default the origin of the request's URL
   */
  readonly publicUrl?: string
}

/**
 * Creates a handler with fetch's `Request` and `Response`, for Workers, Deno, Bun and frameworks with the same types.
 * `clientAddress` receives the arguments that the platform passes after the request.
 *
 * @throws TypeError if the base path does not start with a slash, or if `publicUrl` is not an http or https URL
 *
 * @example
 * ```ts
 * import type { Gateway } from '@sallyport/webhooks'
 * import { createFetchHandler } from '@sallyport/webhooks/fetch'
 *
 * declare const gateway: Gateway
 * export default {
 *   fetch: createFetchHandler(gateway, {
 *     clientAddress: (request) => request.headers.get('cf-connecting-ip') ?? undefined,
 *   }),
 * }
 * ```
 */
export function createFetchHandler<Context extends readonly unknown[]>(
  gateway: Gateway,
  options: FetchHandlerOptions<Context> = {},
): (request: Request, ...context: Context) => Promise<Response> {
  const { clientAddress } = options
  const basePath = normalizeBasePath(options.basePath)
  const publicUrl = normalizePublicUrl(options.publicUrl)

  return async (request, ...context) => {
    const { method, headers, url } = request
    try {
      const { pathname, search, searchParams } = new URL(url)
      const webhook = parseWebhookPath(pathname, basePath, gateway)
      if (webhook === undefined) throw new CodedError(404, 'NOT_FOUND', 'There is nothing here')
      const address = clientAddress?.(request, ...context)
      const answer = await gateway.handle({
        method,
        ...webhook,
        headers,
        query: searchParams,
        url: publicUrl === undefined ? url : publicUrl + pathname + search,
        readBody: (sink) => readBody(request, sink),
        address: address && normalizeAddress(address),
      })
      return new Response(answer.status === 204 ? null : answer.body, answer)
    } catch (error) {
      const answer = codedResponse(error)
      return Response.json(answer.body, answer)
    }
  }
}

/**
 * Reads a body up to its end.
 *
 * @throws `bodyTaken` if another reader has read the body; the errors of the sink, `bodyTimeout` and `bodyAborted`
 */
async function readBody(request: Request, sink: BodySink): Promise<void> {
  if (request.bodyUsed) throw bodyTaken()
  if (request.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  try {
    await withDeadline(sink.timeoutMs, drain(reader, sink), bodyTimeout)
  } finally {
    // Not awaited: a cancellation that hangs must not delay the response.
    reader.cancel().catch(() => undefined)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, sink: BodySink): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw bodyAborted()
    })
    if (done) return
    sink.push(value)
  }
}
