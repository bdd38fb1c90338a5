import type { ApiContext } from '../api/api-context.ts'
import { integerOption } from '../options.ts'
import type { EventStreamBody, EventStreamEncoding } from './event-stream-body.ts'
import { formatJsonLine, formatServerSentEvent, type ServerSentEvent } from './server-sent-event.ts'

/** The part of a context that streams use. */
export type EventStreamContext = Pick<ApiContext, 'signal' | 'isStillAllowed'>

/** A stream of events. */
export interface EventStream<Data> {
  /**
   * Returns the events. The next one is requested once the client has read the previous ones, so a slow client needs no memory.
   * The signal aborts when the stream ends.
   */
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent<Data>>
  /** Ends the stream, such as when the server stops. */
  readonly signal?: AbortSignal
  /** A comment, or an empty line, is sent after this time without an event, in milliseconds. @default 15,000 */
  readonly heartbeatMs?: number
  /**
   * The access of the caller is checked again after this time, in milliseconds, also while no event occurs. The stream ends
   * without access.
   *
   * @default 5,000
   */
  readonly checkMs?: number
  /** Called once when the stream has ended. */
  readonly onEnd?: () => void
}

/** The result of a route that declares the response 200 with `events` or `lines`. */
export interface EventStreamResult<Data> {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: EventStreamBody<Data>
}

const headers = {
  'Cache-Control': 'no-store, no-transform',
  // nginx collects a response otherwise.
  'X-Accel-Buffering': 'no',
}

/**
 * Answers with a stream of events: Server-Sent Events where the route declares `events`, and JSON lines where it declares
 * `lines`. The timeout of the API does not apply to the stream.
 *
 * An error of `events` breaks the connection, and `onError` of the API receives it.
 *
 * @throws TypeError if a time is out of range
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * @example
 * ```ts
 * import { setTimeout } from 'node:timers/promises'
 * import { createRouteGroup } from '@sallyport/rest'
 * import { answerEventStream } from '@sallyport/rest/event-stream'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup({ access: 'public' })
 * const responses = { 200: { description: 'The time, each second', events: z.iso.datetime() } }
 * const watchTime = route.get('/time', { operationId: 'watchTime', responses }, (_, context) =>
 *   answerEventStream(context, {
 *     async *events(signal) {
 *       for (;;) {
 *         yield { data: new Date().toISOString() }
 *         await setTimeout(1000, undefined, { signal })
 *       }
 *     },
 *   }),
 * )
 * ```
 */
export function answerEventStream<Data>(
  context: EventStreamContext,
  stream: EventStream<Data>,
): EventStreamResult<Data> {
  const heartbeatMs = integerOption('heartbeatMs', stream.heartbeatMs ?? 15_000, 1)
  const checkMs = integerOption('checkMs', stream.checkMs ?? 5000, 1)
  const encoder = new TextEncoder()
  const ending = new AbortController()
  let encoding: EventStreamEncoding = { format: 'events' }
  const signals = [context.signal, ...(stream.signal ? [stream.signal] : [])]
  let events: AsyncIterator<ServerSentEvent<Data>> | undefined
  let next: Promise<IteratorResult<ServerSentEvent<Data>>> | undefined
  let checkedAt = performance.now()

  function end(controller?: ReadableStreamDefaultController<Uint8Array>): void {
    if (ending.signal.aborted) return
    ending.abort(new Error('The stream has ended'))
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
    // The source may be waiting; its signal is aborted.
    next?.catch(() => undefined)
    events?.return?.().catch(() => undefined)
    stream.onEnd?.()
    controller?.close()
  }
  let onAbort = (): void => undefined

  async function write(event: ServerSentEvent<Data>): Promise<string> {
    const { format, check } = encoding
    const { data } = event
    const sent = data === undefined || check === undefined ? event : { ...event, data: await check(data) }
    return format === 'lines' ? formatJsonLine(sent) : formatServerSentEvent(sent)
  }

  /** Reads the next event, or a comment at the time of a heartbeat; undefined at the end of the events or of the access. */
  async function readText(heartbeatAt: number): Promise<string | undefined> {
    while (!isEnded(ending)) {
      if (performance.now() - checkedAt >= checkMs) {
        if (!(await context.isStillAllowed())) return undefined
        checkedAt = performance.now()
      }
      events ??= stream.events(ending.signal)[Symbol.asyncIterator]()
      next ??= events.next()
      const waitMs = Math.min(heartbeatAt, checkedAt + checkMs) - performance.now()
      const result = await raceTimeout(next, waitMs, ending.signal)
      if (result !== undefined) {
        next = undefined
        return result.done === true ? undefined : await write(result.value)
      }
      if (performance.now() >= heartbeatAt) return encoding.format === 'lines' ? '\n' : ': heartbeat\n\n'
    }
    return undefined
  }

  const bytes = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          end(controller)
        }
        for (const signal of signals) signal.addEventListener('abort', onAbort)
        if (signals.some(({ aborted }) => aborted)) end(controller)
      },
      async pull(controller) {
        try {
          const text = await readText(performance.now() + heartbeatMs)
          if (isEnded(ending)) return
          if (text === undefined) end(controller)
          else controller.enqueue(encoder.encode(text))
        } catch (error) {
          if (isEnded(ending)) return
          end()
          encoding.onError?.(error)
          controller.error(error)
        }
      },
      cancel() {
        end()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    status: 200,
    headers,
    body: {
      encode(given) {
        encoding = given
        return bytes
      },
    },
  }
}

/** A function, because TypeScript assumes that the state does not change during an `await`. */
const isEnded = ({ signal }: AbortController): boolean => signal.aborted

/** Settles like the promise; undefined after the time or when the signal is aborted first. */
async function raceTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  let stop = (): void => undefined
  const silence = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    stop = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
