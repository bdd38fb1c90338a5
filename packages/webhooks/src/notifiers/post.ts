import { runWithTimeout } from '@sallyport/internal/deadline'
import { timerOption } from '@sallyport/internal/options'
import { parseRetryAfter } from '@sallyport/internal/retry-after'
import { SallyportError } from '@sallyport/errors'
import { getNetworkCode, isFinalStatus, parseHttpUrl } from '../http/client.ts'

/** Options of every notifier that posts over HTTP. */
export interface PostOptions {
  /** An http or https URL without credentials. */
  readonly url: string
  /** @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
  /** Timeout for a response in milliseconds. The dispatcher's timeout can end before. @default 4,000 */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Posts JSON. @throws SallyportError for a status other than 200 to 299, or a network failure */
export type Post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<void>

/**
 * Creates a function that posts JSON to one URL. The function neither follows redirects nor reads the response body.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, or if `timeoutMs` is out of range
 */
export function createPost(options: PostOptions): Post {
  const { fetch = globalThis.fetch, now = Date.now } = options
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const url = parseHttpUrl('A notifier', options.url)

  return async (body, headers, signal) => {
    signal.throwIfAborted()
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      redirect: 'manual',
    } as const
    const response = await runWithTimeout(timeoutMs, async (late) => {
      const ended = AbortSignal.any([signal, late])
      try {
        return await fetch(url, { ...init, signal: ended })
      } catch (error) {
        ended.throwIfAborted()
        const code = getNetworkCode(error) ?? 'UNREACHABLE'
        throw new SallyportError(code, 'The gateway of the operators cannot be reached', { status: 502 })
      }
    })
    void response.body?.cancel().catch(() => undefined)
    if (!response.ok) throw new PostRejectedError(response, now())
  }
}

class PostRejectedError extends SallyportError {
  readonly retryable: boolean
  readonly retryAfterMs?: number

  constructor({ status, headers }: Response, now: number) {
    super(`HTTP_${status}`, `The gateway of the operators answered ${status}: read its log`, { status: 502 })
    this.retryable = !isFinalStatus(status)
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now)
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}
