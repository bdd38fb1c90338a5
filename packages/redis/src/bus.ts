import { Buffer } from 'node:buffer'
import type { Redis as Client } from 'ioredis'
import type { InternalEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import type { Connection } from './connection.ts'
import { digestOf } from './digest.ts'
import { failureOf, plainly } from './failure.ts'
import { Operations } from './operations.ts'
import { untilAborted } from './until-aborted.ts'

export interface RedisBusOptions {
  /** The key of the stream that events are published to. @default sallyport */
  readonly stream?: string
  /**
   * How long ids are known, in milliseconds: longer than the longest wait between two attempts to publish, which is an
   * hour by default.
   *
   * @default 7,200,000 (2 hours)
   */
  readonly duplicateWindowMs?: number
  /** Events that the stream holds, roughly; past it, the oldest go, read or not. @default 1,000,000 */
  readonly events?: number
  /** How large an event may be as JSON, in bytes; a larger one is never published. @default 67,108,864 (64 MiB) */
  readonly eventBytes?: number
}

/** A bus on a stream. */
export interface RedisBus extends Publisher {
  /** Resolves when the server answers; rejects with the reason when it does not. */
  ping(): Promise<void>
  /** Finishes what is under way, and refuses everything from then on. */
  close(): Promise<void>
}

/** The id is kept last: an event that the stream did not take is not known. */
const add = {
  numberOfKeys: 2,
  lua: `
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', unpack(ARGV, 3))
redis.call('SET', KEYS[2], '', 'PX', ARGV[1])
return 1`,
}

interface WithAdd {
  sallyportAdd(...keysAndArguments: readonly (string | number)[]): Promise<number>
}

export function createBus(connection: Connection, options: RedisBusOptions): RedisBus {
  const { stream = 'sallyport', duplicateWindowMs = 7_200_000 } = options
  const { events: kept = 1_000_000, eventBytes = 67_108_864 } = options
  const operations = new Operations('bus')

  async function publishOne(client: Client & WithAdd, event: InternalEvent): Promise<PublishResult> {
    const json = JSON.stringify(event)
    if (Buffer.byteLength(json) > eventBytes)
      return {
        ok: false,
        retryable: false,
        error: `The event is larger than the ${eventBytes} bytes of the bus: raise eventBytes, and replay it`,
      }
    const { traceparent, tracestate } = event.trace ?? {}
    const fields = ['id', event.id, 'name', event.name, 'event', json]
    if (traceparent) fields.push('traceparent', traceparent)
    if (tracestate) fields.push('tracestate', tracestate)
    const known = `${stream}:id:${digestOf(event.id)}`
    try {
      const added = await client.sallyportAdd(stream, known, duplicateWindowMs, kept, ...fields)
      return { ok: true, duplicate: added === 0 }
    } catch (error) {
      return failureOf(error)
    }
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const sending = connection.current().then(
          (client) => {
            if (signal.aborted) return []
            client.defineCommand('sallyportAdd', add)
            // All are sent before the first answer.
            return Promise.all(events.map((event) => publishOne(client as Client & WithAdd, event)))
          },
          (error: unknown) => events.map(() => failureOf(error)),
        )
        return untilAborted(sending, signal)
      }),
    ping: () =>
      operations.run(() =>
        plainly(async () => {
          await (await connection.current()).ping()
        }),
      ),
    close: () => operations.close(),
  }
}
