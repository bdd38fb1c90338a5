import { PubHeaders } from '@nats-io/jetstream'
import type { Msg } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'
import type { PublishResult, Queue, ReceivedEvent, ReceiveOptions } from '@sallyport/webhooks'
import { createOperationTracker } from '@sallyport/internal/operation-tracker'
import { checkIntegers } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Connection } from './connection.ts'
import { isSubjectTaken, toFailure } from './failure.ts'
import { requirePrefix, requireStream, requireTimers } from './options.ts'
import { publishAll } from './publish.ts'
import { PullSizer } from './pull-sizer.ts'
import { pull } from './pull.ts'
import { consumer, prepareQueue, queueSettings } from './queue-stream.ts'
import { createReceivedEvent } from './received-event.ts'
import { createEnsuredStream } from './stream.ts'
import { hashId } from './subject.ts'

export interface NatsQueueOptions {
  /** The stream of the queue. A missing stream is created; an existing one is unchanged. @default SALLYPORT_QUEUE */
  readonly stream?: string
  /**
   * Prefix of the subjects: tokens with dots between them, without white space, `*` and `>`.
   *
   * @default the prefix of the only subject of an existing stream, otherwise the stream name in lower case
   */
  readonly prefix?: string
  /** Lease of a received event, in milliseconds. @default 15,000 */
  readonly leaseMs?: number
  /** Capacity of a created stream in events. Over it, `enqueue` returns a retryable failure. @default 1,000,000 */
  readonly events?: number
  /**
   * Maximum size of a message with its headers, in bytes. A larger event is enqueued with a reference to its data, if the
   * dispatcher has `dataref`, and otherwise becomes a dead letter.
   *
   * @default `max_payload` of the server, which is also the upper limit
   */
  readonly eventBytes?: number
  /** Replicas of a created stream, from 1 to 5. @default 1 */
  readonly replicas?: number
  /** Called with an error when a message is not an event and was removed from the queue. */
  readonly onError?: (error: unknown) => unknown
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** A shared queue on a JetStream stream. */
export interface NatsQueue extends Queue {
  /** Resolves if the stream and the consumer exist or were created; otherwise rejects with the reason. */
  ping(): Promise<void>
}

export function createQueue(connection: Connection, timeoutMs: number, options: NatsQueueOptions): NatsQueue {
  const {
    stream: name = 'SALLYPORT_QUEUE',
    prefix,
    leaseMs = 15_000,
    events = 1_000_000,
    replicas = 1,
  } = options
  const { eventBytes, onError, now = () => performance.now() } = options
  requireTimers({ leaseMs })
  requireStream({ events, replicas })
  checkIntegers({ eventBytes }, 1)
  requirePrefix(prefix)
  // The server's lease is longer than the receiver's by the time that a message waits in a pull, and by the time that an
  // acknowledgement needs to reach the server.
  const slackMs = Math.ceil(Math.min(500, leaseMs / 20))
  const ackWaitMs = leaseMs + 2 * slackMs
  const stream = createEnsuredStream(connection, {
    ...{ name, prefix, timeoutMs },
    settings: queueSettings(events, replicas),
    prepare: (connected, config) => prepareQueue(connected, config, { leaseMs, ackWaitMs, timeoutMs }),
  })
  const operations = createOperationTracker(
    () => new SallyportError('SERVICE_UNAVAILABLE', 'The queue is closed: open another'),
  )
  /** Maximum number of messages per pull. It shrinks to what arrived in time and doubles after a complete pull. */
  let maxPull = Infinity

  /** Checks the stream again after a failure, because it may have been deleted. */
  const run = <Value>(operation: () => Promise<Value>) =>
    operations.run(() =>
      operation().catch((error: unknown) => {
        stream.invalidate()
        throw error
      }),
    )

  async function receiveFrom(options: Required<ReceiveOptions>): Promise<ReceivedEvent[]> {
    const { waitMs, signal, ...limits } = options
    const ended = AbortSignal.any([signal, operations.closing])
    const { connection: connected } = await stream.open()
    const sizer = new PullSizer({ ...limits, messageBytes: connected.info?.max_payload ?? Infinity })
    const received: ReceivedEvent[] = []
    let leasedSince: number | undefined

    /** Resolves with true if the pull returned all requested messages. */
    const pullOnce = async (count: number, pullWaitMs: number) => {
      if (ended.aborted) return false
      const limit = Math.min(count, maxPull)
      const requestedAt = now()
      const { messages, isCut } = await pull(connected, {
        ...{ stream: name, consumer, limit, waitMs: pullWaitMs, timeoutMs },
        batchTimeoutMs: Math.ceil(slackMs + leaseMs / 3),
        // A pull without a wait ends by itself within the timeout.
        signal: pullWaitMs > 0 ? ended : new AbortController().signal,
      })
      if (isCut) maxPull = messages.length
      else if (messages.length === limit) maxPull *= 2
      // The lease may have started at any time since the request, because the process may have been paused.
      const receivedAt = now()
      const endsAt = Math.min(receivedAt, requestedAt + slackMs) + leaseMs
      // Another receiver may have the messages by now; otherwise the server delivers them again.
      if (receivedAt >= endsAt) return false
      if (messages.length > 0) leasedSince ??= endsAt - leaseMs
      const lease = {
        getConnection: () => connection.getConnection(),
        timeoutMs,
        isValid: () => now() < endsAt,
      }
      sizer.record(messages)
      received.push(...messages.flatMap((message) => readEvent(message, lease)))
      return messages.length === limit
    }
    const pullAvailable = async () => {
      let size = sizer.next()
      // Keep most of the lease for the processing of the first event.
      const isEarly = () => now() - (leasedSince ?? Infinity) < leaseMs / 3
      while (size > 0 && (await pullOnce(size, 0)) && isEarly()) size = sizer.next()
    }
    // A failed pull must not drop the events that are already leased.
    const rethrowIfEmpty = (error: unknown) => {
      if (received.length === 0) throw error
    }

    await pullAvailable().catch(rethrowIfEmpty)
    if (received.length > 0 || waitMs <= 0) return received
    const until = performance.now() + waitMs
    let leftMs = waitMs
    while (leftMs > 0 && received.length === 0 && !ended.aborted) {
      await pullOnce(1, Math.ceil(Math.min(leftMs, slackMs)))
      leftMs = until - performance.now()
    }
    if (received.length > 0) await pullAvailable().catch(rethrowIfEmpty)
    return received
  }

  function readEvent(message: Msg, lease: Parameters<typeof createReceivedEvent>[1]): ReceivedEvent[] {
    try {
      return [createReceivedEvent(message, lease)]
    } catch (cause) {
      message.respond('+TERM')
      const errorText = `A message in ${name} is not an event: it was removed`
      callHook(onError, new SallyportError('BAD_REQUEST', errorText, { cause }))
      return []
    }
  }

  return {
    leaseMs,
    enqueue: (incoming, signal) =>
      run(() =>
        stream.send(incoming, signal, (opened) => {
          const messages = incoming.map((event) => ({
            event,
            subject: `${opened.prefix}.${hashId(event.id)}`,
            headers: { [PubHeaders.ExpectedStreamHdr]: name },
          }))
          const toResult = (error: unknown): PublishResult => {
            if (isSubjectTaken(error)) return { ok: true, duplicate: true }
            stream.invalidate()
            return toFailure(error)
          }
          return publishAll(opened.connection, messages, {
            timeoutMs,
            maxBytes: eventBytes,
            onError: toResult,
          })
        }),
      ),
    receive: ({ limit, maxBytes = Infinity, waitMs = 0, signal }) =>
      run(async () => {
        if (!Number.isInteger(limit) || limit < 1)
          throw new TypeError('limit must be an integer of at least 1')
        return signal.aborted ? [] : receiveFrom({ limit, maxBytes, waitMs, signal })
      }),
    ping: () =>
      run(async () => {
        stream.invalidate()
        await stream.open()
      }),
    close: () => operations.close(),
  }
}
