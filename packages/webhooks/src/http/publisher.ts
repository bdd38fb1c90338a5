import { untilAborted } from '@sallyport/internal/deadline'
import { integerOption, timerOption } from '@sallyport/internal/options'
import { isSallyportError } from '@sallyport/errors'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { WebhookEvent } from '../ports/event.ts'
import type { MaybePromise, Publisher, PublishResult } from '../ports/ports.ts'
import {
  createSend,
  createUnavailable,
  timedOut,
  type Failure,
  type HttpClientOptions,
  type HttpMessage,
  type HttpReading,
  type Outcome,
} from './client.ts'

/** The format of a bus over HTTP. */
export interface HttpFormat {
  /** Encodes one event. An error is final for the event. */
  encode(event: WebhookEvent): HttpMessage
  /** Joins several messages into one request. Without this function, each event is a request. */
  join?(messages: readonly HttpMessage[]): HttpMessage
  /** Returns headers for a whole request, such as a signature. */
  sign?(message: HttpMessage, events: readonly WebhookEvent[]): MaybePromise<Readonly<Record<string, string>>>
  /**
   * Reads the body of a response with status 200 to 299 or 400, up to 1 MiB. Without this function, a status of success
   * takes all events of a request and another status takes none.
   */
  read?(body: string): HttpReading
}

export interface HttpPublisherOptions extends HttpClientOptions {
  /** An http or https URL without credentials. No error message contains the URL, which can hold a key. */
  readonly url: string
  /** Maximum size of a request body in bytes. A larger event is sent in its own request. @default 512 KiB */
  readonly maxBytes?: number
  /**
   * Maximum size of an encoded event in bytes. A larger event is not sent.
   *
   * @default the limit of the bus, which answers 413
   */
  readonly eventBytes?: number
  /** Maximum number of events per request. @default 1,000 */
  readonly maxEvents?: number
  /** Maximum number of concurrent requests per batch. @default 1 */
  readonly concurrency?: number
}

/**
 * Creates a publisher for a bus over HTTP.
 *
 * - A status of 200 to 299 takes the events of a request.
 * - 400, 410, 413, 415, 422 and 431 are final. A request with several events that is answered 400, 413 or 422 is divided
 *   into halves, so that one bad event fails alone.
 * - An event that is larger than `eventBytes` or that is answered 413 alone is too large. So is an event of more than 64 KiB
 *   that is answered 400, because some servers answer so. The dispatcher publishes such an event with a reference to its
 *   data, if it has `dataref`; `encode` then writes the `dataref` of the event.
 * - Other statuses (401, 403, 404 and redirects too), unreadable responses, network failures and timeouts are retryable,
 *   after the delay of `Retry-After`.
 * - After 429, 503 or a network failure, the rest of the batch is not sent.
 *
 * Failures contain the status or the code of the system's error. They contain no URL, header or event.
 *
 * @throws TypeError if the URL is not http or https or contains credentials, if a header is invalid, or if a limit or the
 *   timeout is out of range
 *
 * @example
 * ```ts
 * import { createHttpPublisher } from '@sallyport/webhooks/http'
 *
 * export const publisher = createHttpPublisher(
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
export function createHttpPublisher(format: HttpFormat, options: HttpPublisherOptions): Publisher {
  const maxBytes = integerOption('maxBytes', options.maxBytes ?? 512 * 1024, 1)
  const eventBytes = integerOption('eventBytes', options.eventBytes ?? Number.MAX_SAFE_INTEGER, 1)
  const maxEvents = integerOption('maxEvents', options.maxEvents ?? 1000, 1)
  const concurrency = integerOption('concurrency', options.concurrency ?? 1, 1)
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const send = createSend(options.url, options, format.read?.bind(format))
  const limits = { bytes: maxBytes, events: format.join === undefined ? 1 : maxEvents }

  async function request(parts: readonly Part[], signal: AbortSignal): Promise<Outcome> {
    try {
      const messages = parts.map((part) => part.message)
      const message: HttpMessage = format.join?.(messages) ?? (messages[0] as HttpMessage)
      const events = parts.map((part) => part.event)
      const signed = await format.sign?.(message, events)
      return await send({ ...message, headers: { ...message.headers, ...signed } }, signal)
    } catch (error) {
      // Messages of Sallyport's own errors contain no secret.
      const reason = isSallyportError(error) ? error.message : describeFailure(error)
      return createUnavailable({
        ok: false,
        retryable: true,
        error: `The request cannot be made: ${reason}`,
      })
    }
  }

  return {
    async publish(events, signal) {
      const results: PublishResult[] = events.map(() => timedOut)
      const parts = events.flatMap((event, index): Part[] => {
        try {
          const message = format.encode(event)
          const bytes = encoder.encode(message.body).byteLength
          if (bytes <= eventBytes) return [{ index, event, message, bytes }]
          results[index] = createTooLarge(eventBytes)
          return []
        } catch {
          // The error can quote the data.
          results[index] = notEncodable
          return []
        }
      })
      const requests = groupParts(parts, limits)

      let unavailable: Failure | undefined
      async function sendRequests(stop: AbortSignal): Promise<void> {
        for (let group = requests.shift(); group !== undefined; group = requests.shift()) {
          if (stop.aborted) return
          const outcome = unavailable ? createUnavailable(unavailable) : await request(group, stop)
          if (outcome.unavailable) unavailable = outcome.failure
          const rest = group.filter(({ index }, position) => {
            if (outcome.taken(position)) results[index] = { ok: true }
            return !outcome.taken(position)
          })
          if (outcome.divisible && group.length > 1 && rest.length > 0) requests.unshift(...halve(rest))
          else for (const { index, bytes } of rest) results[index] = withSize(outcome, bytes)
        }
      }

      const late = new AbortController()
      const timer = setTimeout(() => {
        late.abort()
      }, timeoutMs)
      const stop = AbortSignal.any([signal, late.signal])
      const senders = Array.from({ length: Math.min(concurrency, requests.length) }, () => sendRequests(stop))
      try {
        await untilAborted(Promise.all(senders), stop)
      } catch (error) {
        // After a timeout or an abort, the results so far are valid.
        if (!stop.aborted) throw error
      } finally {
        clearTimeout(timer)
      }
      return [...results]
    },
  }
}

const encoder = new TextEncoder()
const notEncodable: Failure = {
  ok: false,
  retryable: false,
  error: 'The event cannot be written in the form of the bus',
}

const createTooLarge = (maximum: number): Failure => ({
  ...{ ok: false, retryable: false, tooLarge: true },
  error: `The event is larger than ${maximum} bytes: set dataref, or raise eventBytes, and replay the event`,
})

/** Every receiver of events should accept this size, in bytes, according to the specification of CloudEvents. */
const interoperableBytes = 65_536

/** Marks the failure of an event whose size can be the reason. */
const withSize = ({ status, failure }: Outcome, bytes: number): Failure =>
  status === 413 || (status === 400 && bytes > interoperableBytes) ? { ...failure, tooLarge: true } : failure

/** An encoded event with its position in the batch. */
interface Part {
  readonly index: number
  readonly event: WebhookEvent
  readonly message: HttpMessage
  readonly bytes: number
}

/** Groups parts in their order into as few requests as the limits allow. */
function groupParts(
  parts: readonly Part[],
  limits: { readonly bytes: number; readonly events: number },
): Part[][] {
  const groups: Part[][] = []
  let bytes = 0
  for (const part of parts) {
    const last = groups.at(-1)
    // Each separator takes one byte, and so does each bracket.
    bytes += part.bytes + 1
    if (last !== undefined && last.length < limits.events && bytes < limits.bytes) last.push(part)
    else {
      groups.push([part])
      bytes = part.bytes + 2
    }
  }
  return groups
}

function halve(parts: readonly Part[]): Part[][] {
  const middle = Math.ceil(parts.length / 2)
  return [parts.slice(0, middle), parts.slice(middle)].filter(({ length }) => length > 0)
}
