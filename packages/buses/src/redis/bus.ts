import { Buffer } from 'node:buffer'
import type { Redis as Client } from 'ioredis'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { createBusTracker, notSerializable } from '../client/failure.ts'
import { addEntries, splitIntoRuns, type Entry } from './add-entries.ts'
import type { Connection } from './connection.ts'
import { hashId, toJson } from './encoding.ts'
import { nameKey } from './hash-tag.ts'
import { createTooLarge, missingResult, toFailure, withPlainErrors } from './failure.ts'

export interface RedisBusOptions {
  /** The key of the stream, in a Redis Cluster with a hash tag. @default sallyport, {sallyport} in a Redis Cluster */
  readonly stream?: string
  /**
   * How long an id counts as published, in milliseconds. The window must be longer than the longest delay between two
   * attempts to publish, which is an hour by default.
   *
   * @default 7,200,000 (2 hours)
   */
  readonly duplicateWindowMs?: number
  /** Approximate maximum number of events in the stream. Redis trims the oldest, read or not. @default 1,000,000 */
  readonly events?: number
  /**
   * Maximum size of an event as JSON, in bytes. A larger event is published with a reference to its data, if the dispatcher
   * has `dataref`, and otherwise becomes a dead letter. Must not exceed `proto-max-bulk-len` of the server, 512 MiB by
   * default.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly eventBytes?: number
}

/** A publisher on a Redis stream. */
export interface RedisBus extends Publisher {
  /** Resolves if the server responds and is not a replica; otherwise rejects with the reason. */
  ping(): Promise<void>
  /** Rejects new calls and resolves when the running calls have ended. */
  close(): Promise<void>
}

export function createBus(connection: Connection, options: RedisBusOptions): RedisBus {
  const { duplicateWindowMs = 7_200_000 } = options
  const stream = nameKey(connection, 'stream', options.stream, 'sallyport')
  const { events: maxEntries = 1_000_000, eventBytes = 67_108_864 } = options
  checkIntegers({ duplicateWindowMs, events: maxEntries, eventBytes }, 1)
  const operations = createBusTracker()

  function encodeEntry(event: WebhookEvent): Entry | PublishResult {
    const json = toJson(event)
    if (json === undefined) return notSerializable
    const bytes = Buffer.byteLength(json)
    if (bytes > eventBytes) return createTooLarge(eventBytes)
    const { traceparent, tracestate } = event.trace ?? {}
    const fields = ['id', event.id, 'name', event.name, 'event', json]
    if (traceparent) fields.push('traceparent', traceparent)
    if (tracestate) fields.push('tracestate', tracestate)
    return { idKey: `${stream}:id:${hashId(event.id)}`, fields, bytes }
  }

  async function addRun(client: Client, entries: readonly Entry[]): Promise<PublishResult[]> {
    try {
      const answers = await addEntries(
        client,
        { key: stream, windowMs: duplicateWindowMs, maxEntries },
        entries,
      )
      return answers.map((answer) =>
        typeof answer === 'number' ? { ok: true, duplicate: answer === 0 } : toFailure(new Error(answer)),
      )
    } catch (error) {
      const failure = toFailure(error)
      return entries.map(() => failure)
    }
  }

  async function publishTo(client: Client, events: readonly WebhookEvent[]): Promise<PublishResult[]> {
    const entries = events.map(encodeEntry)
    // All runs are sent before the first result arrives.
    const writable = entries.filter((entry): entry is Entry => !('ok' in entry))
    const runs = splitIntoRuns(writable).map((run) => addRun(client, run))
    const answers = (await Promise.all(runs)).flat().values()
    return entries.map((entry) => ('ok' in entry ? entry : (answers.next().value ?? missingResult)))
  }

  return {
    publish: (events, signal) =>
      operations.run(async () => {
        signal.throwIfAborted()
        if (events.length === 0) return []
        const sending = connection.getClient().then(
          (client) => (signal.aborted ? [] : publishTo(client, events)),
          (error: unknown) => events.map(() => toFailure(error)),
        )
        return untilAborted(sending, signal)
      }),
    ping: () => operations.run(() => withPlainErrors(() => connection.ping())),
    close: () => operations.close(),
  }
}
