import { ApiError, toApiError } from './errors.ts'
import { readEvents } from './read-events.ts'

export interface StreamOptions {
  readonly onOpen: () => void
  readonly onInterruption: () => void
  /** Called with each item of the stream. */
  readonly onItem: (event: string, data: string) => void
  /** Called when the API answers 401; the stream is over then. */
  readonly onSignedOut: () => void
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** The longest wait before the first new attempt, in milliseconds. It doubles with each attempt. @default 2,000 */
  readonly retryMs?: number
  /** Returns a number from 0 up to 1. @default Math.random */
  readonly random?: () => number
}

const maxRetryMs = 30_000

/**
 * Follows a stream of the API, and continues it after the last item when it breaks or the API refuses it. `EventSource`
 * would end for good when the answer is not 200, such as 503 during a restart, and does not tell the status.
 *
 * Resolves when the signal is aborted, or the session has ended.
 */
export async function followStream(address: string, options: StreamOptions): Promise<void> {
  const { onOpen, onInterruption, onItem, onSignedOut, signal, retryMs = 2000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { random = Math.random } = options
  let after: string | undefined
  for (let attempts = 0; ; attempts++) {
    try {
      const body = await openStream(address, after, signal)
      onOpen()
      for await (const { id = after, event = 'message', data } of readEvents(body)) {
        attempts = 0
        after = id
        if (data !== undefined) onItem(event, data)
      }
    } catch (error) {
      if (signal.aborted) return
      const status = error instanceof ApiError ? error.status : 0
      if (status === 401) {
        onSignedOut()
        return
      }
      // The API cannot read a position from before a change of its secrets.
      if (status === 400) after = undefined
    }
    if (signal.aborted) return
    onInterruption()
    await pause(Math.min(retryMs * 2 ** attempts, maxRetryMs) * (0.5 + random() / 2), signal)
  }
}

async function openStream(
  address: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const url = new URL(address)
  if (after !== undefined) url.searchParams.set('after', after)
  const headers = { Accept: 'text/event-stream' }
  const response = await fetch(url, { headers, cache: 'no-store', credentials: 'same-origin', signal })
  if (response.ok && response.body !== null) return response.body
  throw toApiError(await response.json().catch(() => undefined), response)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
