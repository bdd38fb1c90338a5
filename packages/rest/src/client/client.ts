import type { Contracts } from '../contract.ts'
import type { RouteMethod } from '../route.ts'
import { buildUrl, type UrlParts } from './build-url.ts'
import { ClientError } from './client-error.ts'
import { followStream, type FollowOptions } from './follow-stream.ts'
import { networkFailure, readFailure, readSuccess, type AnyResult } from './read-response.ts'
import { sendWithRetries, type RetryOptions } from './retry.ts'
import type {
  BodySource,
  InputArguments,
  ItemOf,
  ListPathOf,
  RequestOptions,
  Result,
  StreamDataOf,
  StreamEvent,
  StreamPathOf,
} from './types.ts'

export interface ClientOptions extends RetryOptions, FollowOptions {
  /** The address before the paths of the routes, such as `https://api.example.com/v1`. */
  readonly baseUrl: string
  /** @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Returns the value of `Authorization` for each request, such as `Bearer …`; undefined for none. */
  readonly authorization?: () => string | undefined | Promise<string | undefined>
}

type Call<Api, Method extends RouteMethod> = <Path extends keyof Contracts<Api, Method> & string>(
  path: Path,
  ...input: InputArguments<Contracts<Api, Method>[Path]>
) => Promise<Result<Contracts<Api, Method>[Path]>>

/**
 * The requests of an API. A method resolves to a failure. It rejects when its signal is aborted, when `authorization` rejects,
 * and for an input that cannot be sent, such as a body with a bigint.
 */
export interface Client<Api> {
  readonly get: Call<Api, 'GET'>
  readonly post: Call<Api, 'POST'>
  readonly put: Call<Api, 'PUT'>
  readonly patch: Call<Api, 'PATCH'>
  readonly delete: Call<Api, 'DELETE'>
  /**
   * Reads all items of a list, page by page: by cursor where the list has cursors, otherwise by page number.
   *
   * @throws ClientError when a page fails
   */
  readonly list: <Path extends ListPathOf<Api> & string>(
    path: Path,
    ...input: InputArguments<Contracts<Api, 'GET'>[Path]>
  ) => AsyncGenerator<ItemOf<Contracts<Api, 'GET'>[Path]>, void, undefined>
  /**
   * Reads the events of a stream. Where the route declares `events`, the client connects again with `Last-Event-ID` when the
   * connection ends, until the loop ends, the signal is aborted or the server answers 204. Where it declares `lines`, the loop
   * ends with the response.
   *
   * @throws ClientError when the first connection fails, and for an answer that is not temporary
   */
  readonly stream: <Path extends StreamPathOf<Api> & string>(
    path: Path,
    ...input: InputArguments<Contracts<Api, 'GET'>[Path]>
  ) => AsyncGenerator<StreamEvent<StreamDataOf<Contracts<Api, 'GET'>[Path]>>, void, undefined>
}

interface AnyInput extends RequestOptions, UrlParts {
  readonly body?: unknown
}

interface AnyPage {
  readonly data: readonly unknown[]
  readonly meta: {
    readonly nextCursor?: string
    readonly hasMore?: boolean
    readonly page?: number
    readonly totalPages?: number
  }
}

/**
 * Creates a client of an API from its type, without generated code.
 *
 * A request is sent again after 429 and 503, and after a network error, with the `Retry-After` of the server or an exponential
 * delay. A POST or PATCH is sent again after 503 and network errors only with an `idempotencyKey` or `ifMatch`, and a stream is
 * sent once.
 *
 * @throws TypeError for a `baseUrl` that is not an http or https address
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup, requireFound } from '@sallyport/rest'
 * import { createClient } from '@sallyport/rest/client'
 * import { z } from 'zod'
 *
 * const Note = z.object({ id: z.string(), text: z.string() })
 * const notes = new Map<string, z.infer<typeof Note>>()
 * const route = createRouteGroup({ access: 'public' })
 * const api = createApi({
 *   routes: [
 *     route.get('/notes/{id}', { operationId: 'getNote', data: Note }, ({ params }) =>
 *       requireFound(notes.get(params.id)),
 *     ),
 *   ],
 * })
 *
 * const client = createClient<typeof api>({ baseUrl: 'https://notes.example.com' })
 * const result = await client.get('/notes/{id}', { params: { id: '1' } })
 * if (result.ok) console.log(result.data.text)
 * else if (result.code === 'NOT_FOUND') console.log('There is no such note')
 * ```
 */
export function createClient<Api>(options: ClientOptions): Client<Api> {
  const { baseUrl, authorization, fetch: send = (request: Request) => fetch(request) } = options
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new TypeError('baseUrl must be an http or https address')

  async function request(method: RouteMethod, path: string, input: AnyInput = {}): Promise<AnyResult> {
    const { ifMatch, idempotencyKey, signal } = input
    signal?.throwIfAborted()
    const headers = new Headers({ accept: 'application/json, */*;q=0.5', ...input.headers })
    if (ifMatch !== undefined) headers.set('if-match', ifMatch)
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
    const body = toBody(input.body)
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const url = buildUrl(baseUrl, path, input)
    const create = async () => {
      const credentials = await authorization?.()
      if (credentials !== undefined) headers.set('authorization', credentials)
      return new Request(url, {
        method,
        headers,
        ...(body !== undefined && { body, duplex: 'half' }),
        ...(signal && { signal }),
      })
    }
    const isSafe = !['POST', 'PATCH'].includes(method)
    const isRepeatable = isSafe || (idempotencyKey ?? ifMatch) !== undefined
    const retries = body instanceof ReadableStream ? { ...options, attempts: 1 } : options
    const response = await sendWithRetries(create, send, { ...retries, isRepeatable, signal })
    if (response === undefined) return networkFailure
    try {
      return response.ok ? await readSuccess(response) : await readFailure(response)
    } catch (error) {
      if (signal?.aborted === true) throw error
      return networkFailure
    }
  }

  async function* list(path: string, input: AnyInput = {}): AsyncGenerator<unknown, void, undefined> {
    const given = input.query ?? {}
    const first = { cursor: '', ...given }
    let query: Readonly<Record<string, unknown>> = 'page' in given || 'cursor' in given ? given : first
    for (;;) {
      const result = await request('GET', path, { ...input, query })
      if (!result.ok) {
        // A list without cursors refuses the parameter.
        const refuses = result.details?.every(({ field }) => field === 'cursor') === true
        if (query !== first || !refuses) throw new ClientError(result)
        query = { ...given, page: 1 }
        continue
      }
      const { data, meta } = result.data as AnyPage
      yield* data
      if (meta.nextCursor !== undefined) {
        if (meta.hasMore !== true) return
        query = { ...query, cursor: meta.nextCursor }
      } else {
        const { page = 1, totalPages = 0 } = meta
        if (page >= totalPages) return
        query = { ...query, page: page + 1 }
      }
    }
  }

  const stream = (path: string, input: AnyInput = {}) =>
    followStream(
      (lastEventId) => {
        const headers = new Headers({ accept: 'text/event-stream, application/jsonl', ...input.headers })
        if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
        return request('GET', path, { ...input, headers: Object.fromEntries(headers) })
      },
      input.signal,
      options,
    )

  const call =
    (method: RouteMethod) =>
    (path: string, input?: AnyInput): Promise<AnyResult> =>
      request(method, path, input)
  // The types of the routes exist only in the compiler.
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
    list,
    stream,
  } as unknown as Client<Api>
}

function toBody(body: unknown): BodySource | string | undefined {
  const isSource = [Blob, FormData, ReadableStream].some((type) => body instanceof type)
  return isSource ? (body as BodySource) : JSON.stringify(body)
}
