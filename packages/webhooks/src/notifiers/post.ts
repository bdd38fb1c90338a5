import { runWithTimeout } from '@sallyport/internal/deadline'
import { timerOption } from '@sallyport/internal/options'
import { httpTarget } from '../http/answers.ts'
import { refused, unreachable } from './refused.ts'

/** How a gateway over HTTP is reached. */
export interface PostOptions {
  /** An http or https address, without a user and a password in it. */
  readonly url: string
  /** @default the platform's own */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds until an answer has to be there; the dispatcher's own time may end before. @default 4,000 */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Posts JSON; rejects unless it is answered by a status of success. */
export type Post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<void>

/**
 * A function that posts JSON to one address. Redirects are not followed, since they could lead anywhere; a response's
 * body is not read.
 *
 * @throws TypeError when the address is none that can be posted to, of which it says nothing, or the time is none that a
 *   timer can wait
 */
export function poster(options: PostOptions): Post {
  const { fetch = globalThis.fetch, now = Date.now } = options
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const url = httpTarget(options.url)
  if (url === undefined) {
    throw new TypeError('A notifier needs an http or https address without a user or password in it')
  }

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
        throw unreachable(error)
      }
    })
    void response.body?.cancel().catch(() => undefined)
    if (!response.ok) throw refused(response, now())
  }
}
