import { Buffer } from 'node:buffer'
import type { Redis as Client } from 'ioredis'
import type { InternalEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { addEntries, inSteps, type Entry } from './add-entries.ts'
import type { Connection } from './connection.ts'
import { digestOf } from './digest.ts'
import { failureOf, noAnswer, plainly, unwritable } from './failure.ts'
import { jsonOf } from './json-of.ts'
import { Operations } from './operations.ts'
import { requireIntegers } from './options.ts'
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
  /** Resolves when the server answers and is no replica; rejects with the reason when it does not. */
  ping(): Promise<void>
  /** Finishes what is under way, and refuses everything from then on. */
  close(): Promise<void>
}

export function createBus(connection: Connection, options: RedisBusOptions): RedisBus {
  const { stream = 'sallyport', duplicateWindowMs = 7_200_000 } = options
  const { events: kept = 1_000_000, eventBytes = 67_108_864 } = options
  requireIntegers({ duplicateWindowMs, events: kept, eventBytes })
  const operations = new Operations('bus')

  const tooLarge: PublishResult = {
    ok: false,
    retryable: false,
    error: `The event is larger than the ${eventBytes} bytes of the bus: raise eventBytes, and replay it`,
  }

  function entryOf(event: InternalEvent): Entry | PublishResult {
    const json = jsonOf(event)
    if (json === undefined) return unwritable
    const bytes = Buffer.byteLength(json)
    if (bytes > eventBytes) return tooLarge
    const { traceparent, tracestate } = event.trace ?? {}
    const fields = ['id', event.id, 'name', event.name, 'event', json]
    if (traceparent) fields.push('traceparent', traceparent)
    if (tracestate) fields.push('tracestate', tracestate)
    return { known: `${stream}:id:${digestOf(event.id)}`, fields, bytes }
  }

  async function addStep(client: Client, entries: readonly Entry[]): Promise<PublishResult[]> {
    try {
      const answers = await addEntries(client, { key: stream, windowMs: duplicateWindowMs, kept }, entries)
      return answers.map((answer) =>
        typeof answer === 'number' ? { ok: true, duplicate: answer === 0 } : failureOf(new Error(answer)),
      )
    } catch (error) {
      const failure = failureOf(error)
      return entries.map(() => failure)
    }
  }

  async function publishTo(client: Client, events: readonly InternalEvent[]): Promise<PublishResult[]> {
    const entries = events.map(entryOf)
    // All are sent before the first answer.
    const writable = entries.filter((entry): entry is Entry => !('ok' in entry))
    const steps = inSteps(writable).map((step) => addStep(client, step))
    const answers = (await Promise.all(steps)).flat().values()
    return entries.map((entry) => ('ok' in entry ? entry : (answers.next().value ?? noAnswer)))
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const sending = connection.current().then(
          (client) => (signal.aborted ? [] : publishTo(client, events)),
          (error: unknown) => events.map(() => failureOf(error)),
        )
        return untilAborted(sending, signal)
      }),
    ping: () => operations.run(() => plainly(() => connection.ping())),
    close: () => operations.close(),
  }
}
