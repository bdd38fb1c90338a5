import type { Publisher } from '@sallyport/webhooks'
import type { Connection } from './connection.ts'
import { failureOf } from './failure.ts'
import { Operations } from './operations.ts'
import { requirePrefix, requireStream, timesOf } from './options.ts'
import { publishAll } from './publish.ts'
import { ensureStream } from './stream.ts'
import { messageIdOf, subjectOf } from './subject.ts'

export interface NatsBusOptions {
  /** The stream that events are published to; made when it is missing, and never changed. @default SALLYPORT */
  readonly stream?: string
  /**
   * What subjects begin with: tokens with dots between them, without white space, `*` and `>`.
   *
   * @default what the only subject of an existing stream begins with, else the stream's name in lower case
   */
  readonly prefix?: string
  /**
   * How long the stream tells ids that it knows, in milliseconds, when it has to be made. Longer than the longest wait
   * between two attempts to publish, which is an hour by default.
   *
   * @default 7,200,000 (2 hours), or `maxAgeMs` where that is shorter
   */
  readonly duplicateWindowMs?: number
  /**
   * How long events are kept, in milliseconds, when the stream has to be made: no shorter than ids, and 0 for ever.
   *
   * @default 1,209,600,000 (14 days), or `duplicateWindowMs` where that is longer
   */
  readonly maxAgeMs?: number
  /** How many servers keep a copy, 5 at most, when the stream has to be made. @default 1 */
  readonly replicas?: number
}

/** A bus on a stream. */
export interface NatsBus extends Publisher {
  /** Resolves when the stream is there; rejects with the reason when it is not. */
  ping(): Promise<void>
  /** Finishes what is under way, and refuses everything from then on. */
  close(): Promise<void>
}

const nanoseconds = (milliseconds: number) => milliseconds * 1_000_000

export function createBus(connection: Connection, timeoutMs: number, options: NatsBusOptions): NatsBus {
  const { stream: name = 'SALLYPORT', prefix, replicas = 1 } = options
  const { duplicateWindowMs, maxAgeMs } = timesOf(options)
  requireStream({ replicas })
  requirePrefix(prefix)
  const operations = new Operations('bus')
  const stream = ensureStream(connection, {
    ...{ name, prefix, timeoutMs },
    settings: {
      duplicate_window: nanoseconds(duplicateWindowMs),
      max_age: nanoseconds(maxAgeMs),
      num_replicas: replicas,
    },
  })

  return {
    publish: (events, signal) =>
      operations.run(() =>
        stream.send(events, signal, (opened) => {
          const messages = events.map((event) => ({
            event,
            subject: subjectOf(opened.prefix, event),
            options: { msgID: messageIdOf(event), expect: { streamName: name } },
          }))
          return publishAll(opened.connection, messages, timeoutMs, (error) => {
            // A missing stream may be why.
            stream.doubt()
            return failureOf(error)
          })
        }),
      ),
    ping: () =>
      operations.run(async () => {
        stream.doubt()
        await stream.open()
      }),
    close: () => operations.close(),
  }
}
