import { parseRetryAfter } from '@sallyport/internal/retry-after'
import type { PublishResult } from '../ports/ports.ts'

/** Options of every client of a bus over HTTP. */
export interface HttpClientOptions {
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Timeout for one batch in milliseconds. It must be less than nine tenths of the dispatcher's `timeoutMs`, which is the
   * time that a bus gets when a shared queue is in use.
   *
   * @default 4,000
   */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** The headers and the body of a request. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The content of a response body. */
export interface HttpReading {
  /** The status in the body, if it is more exact than the status of the response. */
  readonly status?: number
  /** Whether the bus took each event, in the order of the request. Missing entries count as not taken. */
  readonly taken: readonly boolean[]
}

export type Failure = Extract<PublishResult, { readonly ok: false }>

/** The outcome of a request. */
export interface Outcome {
  /** The status of the bus; undefined without an answer. */
  readonly status?: number
  readonly taken: (index: number) => boolean
  /** The result of the events that were not taken. */
  readonly failure: Failure
  /** The failure can come from one of the events or from their number. */
  readonly divisible: boolean
  /** The bus is unavailable for every event. */
  readonly unavailable: boolean
}

export type Send = (message: HttpMessage, signal: AbortSignal) => Promise<Outcome>

const maxResponseBytes = 1024 * 1024

/** Creates a function that posts to one URL and does not follow redirects. @throws TypeError for an invalid URL or header */
export function createSend(
  address: string,
  options: HttpClientOptions,
  read: ((body: string) => HttpReading) | undefined,
): Send {
  const { fetch = globalThis.fetch, now = Date.now } = options
  const url = parseHttpUrl('A bus over HTTP', address)
  const commonHeaders = parseHeaders(options.headers)

  async function readResponse(response: Response): Promise<HttpReading | undefined> {
    const { ok, status } = response
    if (read === undefined || !(ok || status === 400)) {
      void response.body?.cancel().catch(() => undefined)
      return ok ? undefined : { taken: [] }
    }
    const text = await readText(response)
    try {
      return text === undefined ? { taken: [] } : read(text)
    } catch {
      // The body is not from the bus, for example the page of a proxy.
      return { taken: [] }
    }
  }

  return async (message, signal) => {
    const headers = new Headers(commonHeaders)
    for (const [name, value] of Object.entries(message.headers)) headers.set(name, value)
    try {
      const init = { method: 'POST', body: message.body, headers, redirect: 'manual', signal } as const
      const response = await fetch(url, init)
      const reading = await readResponse(response)
      return createOutcome(
        reading?.status ?? response.status,
        reading,
        parseRetryAfter(response.headers.get('retry-after'), now()),
      )
    } catch (error) {
      if (signal.aborted) return createUnavailable(timedOut)
      const code = getNetworkCode(error)
      const reason = code === undefined ? '' : `: ${code}`
      return createUnavailable({ ok: false, retryable: true, error: `The bus cannot be reached${reason}` })
    }
  }
}

export const timedOut: Failure = { ok: false, retryable: true, error: 'The bus did not answer in time' }

export const createUnavailable = (failure: Failure): Outcome => ({
  taken: () => false,
  failure,
  divisible: false,
  unavailable: true,
})

function createOutcome(
  status: number,
  reading: HttpReading | undefined,
  retryAfterMs: number | undefined,
): Outcome {
  const success = status >= 200 && status <= 299
  return {
    status,
    taken: (index) => reading?.taken[index] ?? reading === undefined,
    failure: {
      ok: false,
      // Status 431 is final for an event: some formats write its attributes into headers.
      retryable: success || !(isFinalStatus(status) || status === 431),
      error: success ? `The bus answered ${status} without taking the event` : `The bus answered ${status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
    divisible: [400, 413, 422].includes(status),
    unavailable: status === 429 || status === 503,
  }
}

function parseHeaders(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    return new Headers(headers)
  } catch {
    // The message of the platform quotes the value.
    throw new TypeError('The headers of a bus over HTTP are invalid')
  }
}

/** Reads the body of a response. @returns undefined for a body over the limit */
async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (response.body === null) return text
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Reports whether a status rejects the request itself, so that a retry cannot succeed. */
export const isFinalStatus = (status: number): boolean => [400, 410, 413, 415, 422].includes(status)

/** Returns the code of a network failure. The message contains the address, which can hold a key. */
export function getNetworkCode(error: unknown): string | undefined {
  const { code } = ((error as { cause?: unknown } | undefined)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z]\w{1,63}$/.test(code) ? code : undefined
}

/**
 * Parses the URL of a POST request.
 *
 * @throws TypeError if the URL is not http or https or contains credentials; the message does not contain the URL
 */
export function parseHttpUrl(owner: string, address: string): URL {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new TypeError(`${owner} needs an http or https address without a user or password in it`)
}
