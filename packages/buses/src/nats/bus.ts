import { PubHeaders, RetentionPolicy } from '@nats-io/jetstream'
import type { Publisher } from '@sallyport/webhooks'
import { checkIntegers } from '@sallyport/internal/options'
import { createBusTracker } from '../client/failure.ts'
import type { Connection } from './connection.ts'
import { toFailure } from './failure.ts'
import { requirePrefix, requireReplicas, resolveTimes } from './options.ts'
import { publishAll } from './publish.ts'
import { createEnsuredStream } from './stream.ts'
import { toMessageId, toSubject } from './subject.ts'

export interface NatsBusOptions {
  /** The stream for the events. A missing stream is created; an existing one is unchanged. @default SALLYPORT */
  readonly stream?: string
  /**
   * Prefix of the subjects: tokens with dots between them, without white space, `*` and `>`.
   *
   * @default the prefix of the only subject of an existing stream, otherwise the stream name in lower case
   */
  readonly prefix?: string
  /**
   * Duplicate window of a created stream, in milliseconds. The window must be longer than the longest delay between two
   * attempts to publish, which is an hour by default.
   *
   * @default 7,200,000 (2 hours), or `maxAgeMs` if that is shorter
   */
  readonly duplicateWindowMs?: number
  /**
   * Retention of events in a created stream, in milliseconds; 0 for unlimited. It must not be shorter than the duplicate
   * window.
   *
   * @default 1,209,600,000 (14 days), or `duplicateWindowMs` if that is longer
   */
  readonly maxAgeMs?: number
  /**
   * Whether a created stream deletes an event when its only consumer has settled it, as a shared queue does.
   *
   * @default false
   */
  readonly workQueue?: boolean
  /** Replicas of a created stream, from 1 to 5. @default 1 */
  readonly replicas?: number
  /**
   * Maximum size of a message with its headers, in bytes. A larger event is published with a reference to its data, if the
   * dispatcher has `dataref`, and otherwise becomes a dead letter.
   *
   * @default `max_payload` of the server, which is also the upper limit
   */
  readonly eventBytes?: number
}

/** A publisher on a JetStream stream. */
export interface NatsBus extends Publisher {
  /** Resolves if the stream exists or was created; otherwise rejects with the reason. */
  ping(): Promise<void>
  /** Rejects new calls and resolves when the running calls have ended. */
  close(): Promise<void>
}

const nanoseconds = (milliseconds: number) => milliseconds * 1_000_000

export function createBus(connection: Connection, timeoutMs: number, options: NatsBusOptions): NatsBus {
  const { stream: name = 'SALLYPORT', prefix, replicas = 1, eventBytes } = options
  const { duplicateWindowMs, maxAgeMs } = resolveTimes(options)
  checkIntegers({ eventBytes }, 1)
  requireReplicas(replicas)
  requirePrefix(prefix)
  const operations = createBusTracker()
  const stream = createEnsuredStream(connection, {
    ...{ name, prefix, timeoutMs },
    settings: {
      duplicate_window: nanoseconds(duplicateWindowMs),
      max_age: nanoseconds(maxAgeMs),
      num_replicas: replicas,
      ...(options.workQueue === true && { retention: RetentionPolicy.Workqueue }),
    },
  })

  return {
    publish: (events, signal) =>
      operations.run(() =>
        stream.send(events, signal, (opened) => {
          const messages = events.map((event) => ({
            event,
            subject: toSubject(opened.prefix, event),
            headers: { [PubHeaders.MsgIdHdr]: toMessageId(event), [PubHeaders.ExpectedStreamHdr]: name },
          }))
          const onError = (error: unknown) => {
            // The stream may have been deleted.
            stream.invalidate()
            return toFailure(error)
          }
          return publishAll(opened.connection, messages, { timeoutMs, maxBytes: eventBytes, onError })
        }),
      ),
    ping: () =>
      operations.run(async () => {
        stream.invalidate()
        await stream.open()
      }),
    close: () => operations.close(),
  }
}
