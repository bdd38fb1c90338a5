import type { z } from 'zod'
import { withDeadline } from './deadline.ts'
import { quoteLargeIntegers } from './large-integers.ts'
import type { MaybePromise } from './promises.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Returns the token of a request. `isRefused` asks for a new one: the service answered 401 to the last one. */
export type GetToken = (options: { readonly isRefused: boolean }) => MaybePromise<string>

export interface VendorApiOptions {
  /** An https address without credentials, or an http address of this machine. */
  readonly baseUrl: string
  readonly token: GetToken
  /** Creates the headers of each request. @default `authorization: Bearer <token>` */
  readonly headers?: (token: string) => Readonly<Record<string, string>>
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Timeout of a request with its answer in milliseconds. @default 15,000 */
  readonly timeoutMs?: number
  /** The largest answer in bytes. @default 8 MiB */
  readonly maximumBytes?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

export interface VendorRequest {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** A value is sent as JSON, and `URLSearchParams` as a form. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface VendorAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined for an empty answer. Integers outside of the safe range are strings with their exact digits. */
  readonly body: unknown
}

/**
 * Sends a request to a path under the base URL, or to an address there that an answer named, such as the next page.
 *
 * @throws VendorApiError for a status other than 2xx, an answer that is not JSON or too large, a timeout and a network failure
 */
export type VendorApi = (path: string, request?: VendorRequest) => Promise<VendorAnswer>

/** A failed request to the API of a service. The message holds no part of the answer, the address or the token. */
export class VendorApiError extends Error {
  override readonly name = 'VendorApiError'
  /** `HTTP_<status>`, `RATE_LIMITED`, `TIMEOUT`, `UNREACHABLE`, `INVALID_RESPONSE` or `INVALID_ADDRESS`. */
  readonly code: string
  /** The status of the answer; undefined without one. */
  readonly status: number | undefined
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: string,
    message: string,
    { status, retryAfterMs }: { readonly status?: number; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The pause after a rate limit that names none. GitHub asks for at least a minute. */
const defaultPauseMs = 60_000

/**
 * Creates a client of the API of a service. The client follows no redirect, sends the token only to the origin of the base URL,
 * and asks once for a new token after an answer of 401.
 *
 * @throws TypeError for a base URL that is not allowed
 */
export function createVendorApi(options: VendorApiOptions): VendorApi {
  const { token, fetch = globalThis.fetch, timeoutMs = 15_000, maximumBytes = 8 * 1024 * 1024 } = options
  const { now = Date.now, headers: createHeaders = (value) => ({ authorization: `Bearer ${value}` }) } =
    options
  const base = parseBaseUrl(options.baseUrl)

  async function send(url: URL, { method = 'GET', body, signal }: VendorRequest, isRefused: boolean) {
    const isForm = body instanceof URLSearchParams
    // A token that never comes would hold the lease of a source, and the stop of the process.
    const value = await withDeadline(timeoutMs, token({ isRefused }), () => timedOut())
    const headers = {
      accept: 'application/json',
      'user-agent': 'sallyport',
      ...(body !== undefined && {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
      ...createHeaders(value),
    }
    signal?.throwIfAborted()
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    try {
      const response = await fetch(url, {
        ...{ method, headers, redirect: 'manual', signal: ended },
        ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
      })
      return { response, text: await readText(response, maximumBytes) }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof VendorApiError) throw error
      throw ended.aborted ? timedOut() : new VendorApiError('UNREACHABLE', 'The service cannot be reached')
    }
  }

  return async (path, request = {}) => {
    const url = locate(base, path)
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    let { response, text } = await send(url, request, false)
    if (response.status === 401) ({ response, text } = await send(url, request, true))
    const { status, headers, ok } = response
    if (!ok) throw toError(response, now())
    return { status, headers, body: parseJson(text) }
  }
}

const timedOut = () => new VendorApiError('TIMEOUT', 'The service did not answer in time')

/** Returns the address of the next page in a `Link` header. @see https://www.rfc-editor.org/rfc/rfc8288 */
export function getNextLink(headers: Headers): string | undefined {
  const links = (headers.get('link') ?? '').slice(0, 8192).split(',')
  const next = links.map((link) => link.split(';')).find(([, ...terms]) => terms.some(isNext))
  const target = next?.[0]?.trim()
  return target?.startsWith('<') && target.endsWith('>') ? target.slice(1, -1) : undefined
}

const isNext = (term: string) => ['rel="next"', 'rel=next'].includes(term.trim().toLowerCase())

/** Reads an answer strictly. @throws VendorApiError `INVALID_RESPONSE`; the message holds no part of the answer */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, success } = schema.safeParse(body)
  if (success) return data
  throw new VendorApiError('INVALID_RESPONSE', 'The answer has another form')
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || isLocal) || url.username + url.password !== '')
    throw new TypeError('The API of a service needs an https address without a user or password in it')
  return url
}

/** An answer names the address of the next page: the token goes to no other origin. */
function locate(base: URL, path: string): URL {
  const url = URL.parse(path.replace(/^\//, ''), base.href)
  if (url?.origin === base.origin && url.pathname.startsWith(base.pathname)) return url
  throw new VendorApiError('INVALID_ADDRESS', 'The service named an address outside of its API')
}

function toError({ status, headers }: Response, now: number): VendorApiError {
  const wait = parseRetryAfter(headers.get('retry-after'), now) ?? getReset(headers, now)
  // GitHub answers 403 to a request over its limits.
  if (status === 429 || (status === 403 && wait !== undefined))
    return new VendorApiError('RATE_LIMITED', 'The service limits the rate of requests', {
      status,
      retryAfterMs: wait ?? defaultPauseMs,
    })
  const options = { status, retryAfterMs: wait }
  return new VendorApiError(`HTTP_${status}`, `The service answered ${status}`, options)
}

/** Returns how long an exhausted limit lasts. GitHub, GitLab and others write the second of its end. */
function getReset(headers: Headers, now: number): number | undefined {
  for (const prefix of ['x-ratelimit', 'ratelimit']) {
    const reset = headers.get(`${prefix}-reset`) ?? ''
    if (headers.get(`${prefix}-remaining`) !== '0' || !/^\d{9,11}$/.test(reset)) continue
    return Math.max(1000, Number(reset) * 1000 - now)
  }
  return undefined
}

async function readText(response: Response, maximumBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const stream: AsyncIterable<Uint8Array> = response.body ?? new Blob([]).stream()
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    if (bytes > maximumBytes) throw new VendorApiError('INVALID_RESPONSE', 'The answer is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** A number of this length can be rounded. */
const longDigits = /\d{16}/

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return longDigits.test(text) ? JSON.parse(quoteLargeIntegers(text)) : value
  } catch {
    throw new VendorApiError('INVALID_RESPONSE', 'The answer is not JSON')
  }
}
