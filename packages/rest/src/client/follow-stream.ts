import { ClientError } from './client-error.ts'
import { readLines, readServerSentEvents } from './read-lines.ts'
import { networkFailure, unreadable, type AnyResult } from './read-response.ts'
import { wait, type RetryOptions } from './retry.ts'
import type { ClientFailure, StreamEvent } from './types.ts'

export interface FollowOptions extends Pick<RetryOptions, 'maxDelayMs' | 'sleep' | 'random'> {
  /**
   * The client connects again when nothing arrives for this time, in milliseconds. Servers send a comment every 15 seconds.
   *
   * @default 60,000
   */
  readonly silenceMs?: number
}

/**
 * Reads the events of a stream. Server-Sent Events continue after the last event when the connection ends, until the answer is
 * 204; JSON lines end with the response.
 *
 * @param open sends the request with the id of the last event
 */
export async function* followStream(
  open: (lastEventId: string | undefined) => Promise<AnyResult>,
  signal: AbortSignal | undefined,
  options: FollowOptions,
): AsyncGenerator<StreamEvent<unknown>, void, undefined> {
  const { maxDelayMs = 10_000, sleep = wait, silenceMs = 60_000 } = options
  // eslint-disable-next-line no-restricted-properties -- the default of what is passed in
  const { random = Math.random } = options
  let lastEventId: string | undefined
  let retryMs = 1000
  let failures = 0
  for (let isFirst = true; ; isFirst = false) {
    const result = await open(lastEventId)
    if (result.ok) {
      if (result.status === 204) return
      const response = result.data as Response
      if (response.body === null) throw new ClientError(unreadable(response))
      const lines = readLines(response.body, silenceMs)
      const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      try {
        if (!isEvents) {
          for await (const line of lines)
            if (line !== '') yield { id: undefined, event: 'message', data: parse(line, response) }
          return
        }
        for await (const { id = lastEventId, event, data, retryMs: delay } of readServerSentEvents(lines)) {
          failures = 0
          lastEventId = id
          retryMs = delay ?? retryMs
          if (data !== undefined) yield { id, event, data: parse(data, response) }
        }
      } catch (error) {
        if (signal?.aborted === true || error instanceof ClientError) throw error
        if (!isEvents) throw new ClientError(networkFailure)
      }
    } else if (isFirst || !isTemporary(result)) throw new ClientError(result)
    else failures++
    const delayMs = Math.min(retryMs * 2 ** failures, Math.max(retryMs, maxDelayMs))
    const neededMs = result.ok ? 0 : (result.retryAfterMs ?? 0)
    // The clients of a server that restarts do not return at the same time.
    await sleep(Math.max(delayMs, neededMs) * (1 + random() / 2), signal)
  }
}

/** Whether a server that restarts answers so, or the proxy before it. */
const isTemporary = ({ status }: ClientFailure) => status === 0 || status === 429 || status >= 500

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ClientError(unreadable(response))
  }
}
