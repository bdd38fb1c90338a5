import type { PublishResult } from '../ports/ports.ts'
import { httpTarget, isFinal, networkCode, retryAfterOf } from './answers.ts'
import type { HttpMessage, HttpReading } from './format.ts'

/** How a bus over HTTP is reached. */
export interface HttpClientOptions {
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default the platform's own */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Milliseconds until one batch has to be answered; less than nine tenths of the dispatcher's own time, which is all that
   * a bus has beside a shared queue.
   *
   * @default 4,000
   */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

export type Failure = Extract<PublishResult, { readonly ok: false }>

/** What became of a request: which of its events were taken, and why the others were not. */
export interface Answer {
  readonly taken: (index: number) => boolean
  readonly failure: Failure
  /** The answer is about one of the events, or about how many they are. */
  readonly divisible: boolean
  /** The bus cannot be asked now, whatever the event. */
  readonly away: boolean
}

export type Send = (message: HttpMessage, signal: AbortSignal) => Promise<Answer>

const maximumAnswerBytes = 1024 * 1024

/** What may be about one event of several, or about their number. */
const divisible: ReadonlySet<number> = new Set([400, 413, 422])

/** Headers that are too large belong to the event: some formats write its attributes there. */
const isFinalForEvents = (status: number) => isFinal(status) || status === 431

/**
 * A function that posts to one address. Redirects are not followed, since they could lead anywhere. What it answers says
 * nothing of the address, which may hold a key.
 *
 * @throws TypeError when the address is none that can be posted to, or a header is none
 */
export function sender(
  address: string,
  options: HttpClientOptions,
  read: ((body: string) => HttpReading) | undefined,
): Send {
  const { fetch = globalThis.fetch, now = Date.now } = options
  const url = httpTarget(address)
  if (url === undefined) {
    throw new TypeError('A bus over HTTP needs an http or https address without a user or password in it')
  }
  const common = headersOf(options.headers)

  async function readingOf(response: Response): Promise<HttpReading | undefined> {
    const { ok, status } = response
    if (read === undefined || !(ok || status === 400)) {
      void response.body?.cancel().catch(() => undefined)
      return ok ? undefined : { taken: [] }
    }
    const text = await boundedText(response)
    try {
      return text === undefined ? { taken: [] } : read(text)
    } catch {
      // Not what the bus says; with a status of success it is somebody else's.
      return { taken: [] }
    }
  }

  return async (message, signal) => {
    const headers = new Headers(common)
    for (const [name, value] of Object.entries(message.headers)) headers.set(name, value)
    try {
      const init = { method: 'POST', body: message.body, headers, redirect: 'manual', signal } as const
      const response = await fetch(url, init)
      const reading = await readingOf(response)
      const status = reading?.status ?? response.status
      return answerOf(status, reading, retryAfterOf(response.headers, now()))
    } catch (error) {
      if (signal.aborted) return unanswered(outOfTime)
      const code = networkCode(error)
      const why = code === undefined ? '' : `: ${code}`
      return unanswered({ ok: false, retryable: true, error: `The bus cannot be reached${why}` })
    }
  }
}

export const outOfTime: Failure = { ok: false, retryable: true, error: 'The bus did not answer in time' }

/** No answer that says anything of an event. */
export const unanswered = (failure: Failure): Answer => ({
  taken: () => false,
  failure,
  divisible: false,
  away: true,
})

function answerOf(
  status: number,
  reading: HttpReading | undefined,
  retryAfterMs: number | undefined,
): Answer {
  const success = status >= 200 && status <= 299
  return {
    taken: (index) => reading?.taken[index] ?? reading === undefined,
    failure: {
      ok: false,
      retryable: success || !isFinalForEvents(status),
      error: success ? `The bus answered ${status} without taking the event` : `The bus answered ${status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
    divisible: divisible.has(status),
    away: status === 429 || status === 503,
  }
}

function headersOf(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    return new Headers(headers)
  } catch {
    // The platform's own message quotes the value.
    throw new TypeError('The headers of a bus over HTTP are no headers')
  }
}

/** The body of an answer; undefined when it is longer than any that is worth reading. */
async function boundedText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  if (response.body === null) return text
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maximumAnswerBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
