import { integerOption, timerOption } from '@sallyport/internal/options'
import { isSallyportError } from '@sallyport/errors'
import { describeFailure } from '../internal/describe-failure.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import type { HttpFormat, HttpMessage } from './format.ts'
import { halvesOf, portionsOf, type Part } from './portions.ts'
import { outOfTime, sender, unanswered, type Answer, type Failure, type HttpClientOptions } from './send.ts'
import { untilEnded } from './until-ended.ts'

export interface HttpPublisherOptions extends HttpClientOptions {
  /** An http or https address, without a user and a password in it. No error tells it: it may hold a key. */
  readonly url: string
  /** Bytes of a request's body, where events share one; an event that is larger by itself goes alone. @default 512 KiB */
  readonly maxBytes?: number
  /** Events of one request, where they share one. @default 1,000 */
  readonly maxEvents?: number
  /** Requests at once, of one batch. @default 1 */
  readonly concurrency?: number
}

/**
 * A publisher on a bus over HTTP, in the format that the bus wants.
 *
 * A status of 200 to 299 takes the events of a request. 400, 410, 413, 415, 422 and 431 are final; but of several events
 * that were answered 400, 413 or 422, each half is sent again by itself, so that one bad event fails alone. Everything
 * else may be tried again, not before what `Retry-After` says: other statuses (401, 403, 404 and redirects too, which
 * are not followed), an answer that cannot be read, a network that fails, and an answer that is late. After 429, 503 or
 * no answer at all, the rest of the batch is not sent.
 *
 * Failures name the status or the system's error code, and nothing of the address, the headers or the events.
 *
 * @throws TypeError when the address is not http or https or holds a user and a password, when a header is none, when a
 *   limit is no whole number from 1, or when the time is none that a timer can wait
 *
 * @example
 * ```ts
 * import { httpPublisher } from '@sallyport/webhooks/http'
 *
 * export const publisher = httpPublisher(
 *   {
 *     encode: ({ id, name, data }) => ({
 *       headers: { 'content-type': 'application/json', 'idempotency-key': id },
 *       body: JSON.stringify({ name, data }),
 *     }),
 *   },
 *   { url: 'https://bus.example.com/events', concurrency: 10 },
 * )
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function httpPublisher(format: HttpFormat, options: HttpPublisherOptions): Publisher {
  const maxBytes = integerOption('maxBytes', options.maxBytes ?? 512 * 1024, 1)
  const maxEvents = integerOption('maxEvents', options.maxEvents ?? 1000, 1)
  const concurrency = integerOption('concurrency', options.concurrency ?? 1, 1)
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const send = sender(options.url, options, format.read?.bind(format))
  const limits = { bytes: maxBytes, events: format.join === undefined ? 1 : maxEvents }

  async function request(parts: readonly Part[], signal: AbortSignal): Promise<Answer> {
    try {
      const message = joined(parts.map((part) => part.message))
      const events = parts.map((part) => part.event)
      const signed = await format.sign?.(message, events)
      return await send({ ...message, headers: { ...message.headers, ...signed } }, signal)
    } catch (error) {
      // The kit's own errors are written to be shown.
      const why = isSallyportError(error) ? error.message : describeFailure(error)
      const failure = `The request cannot be made: ${why}`
      return unanswered({ ok: false, retryable: true, error: failure })
    }
  }
  function joined(messages: readonly HttpMessage[]): HttpMessage {
    const [only, ...others] = messages
    if (format.join !== undefined) return format.join(messages)
    if (only === undefined || others.length > 0) throw new RangeError('Not one event in a request for one')
    return only
  }

  return {
    async publish(events, signal) {
      const results: PublishResult[] = events.map(() => outOfTime)
      const parts = events.flatMap((event, index): Part[] => {
        try {
          const message = format.encode(event)
          return [{ index, event, message, bytes: encoder.encode(message.body).byteLength }]
        } catch {
          // The reason is not kept: it may quote the data.
          results[index] = noForm
          return []
        }
      })
      const waiting = portionsOf(parts, limits)

      let away: Failure | undefined
      const work = async (ended: AbortSignal) => {
        for (let portion = waiting.shift(); portion !== undefined; portion = waiting.shift()) {
          if (ended.aborted) return
          if (away !== undefined) {
            for (const { index } of portion) results[index] = away
            continue
          }
          const answer = await request(portion, ended)
          if (answer.away) away = answer.failure
          const left = portion.filter(({ index }, place) => {
            if (answer.taken(place)) results[index] = { ok: true }
            return !answer.taken(place)
          })
          if (answer.divisible && portion.length > 1 && left.length > 0) waiting.unshift(...halvesOf(left))
          else for (const { index } of left) results[index] = answer.failure
        }
      }
      await untilEnded(signal, timeoutMs, (ended) =>
        Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, () => work(ended))),
      )
      return [...results]
    },
  }
}

const encoder = new TextEncoder()
const noForm: Failure = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written in the form of the bus',
}
