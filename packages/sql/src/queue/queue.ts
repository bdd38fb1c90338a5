import { untilAborted } from '@sallyport/internal/deadline'
import type { Publisher } from '@sallyport/webhooks'
import { createConsumer, type Consumer, type ConsumerOptions } from '@sallyport/webhooks/consumer'
import type { Kysely } from 'kysely'
import { EventRows, type EventJson } from '../internal/event-json.ts'
import type { Vault } from '../encryption/vault.ts'
import type { SchemaCheck } from '../internal/schema-check.ts'
import type { InboxTables } from '../internal/tables.ts'
import { createQueueSource } from './source.ts'

/** The shared queue in the database: a bus whose events are deleted when its consumer has settled them. */
export interface DatabaseQueue extends Publisher {
  /**
   * Creates the consumer of the queue, for `createDrainer`. One process receives the events; another one takes over within 15
   * seconds after a crash. Stop the consumer before the database is closed.
   */
  readonly consumer: (options: ConsumerOptions) => Consumer
}

interface QueueStorage {
  readonly kysely: Kysely<InboxTables>
  readonly schema: SchemaCheck
  readonly vault: Vault
  /** Adds events in the order of their sequences, and returns whether each id is new. */
  readonly enqueue: (rows: readonly EventJson[], bytes: number) => Promise<readonly boolean[]>
}

export function databaseQueue({ kysely, schema, vault, enqueue }: QueueStorage): DatabaseQueue {
  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      const written = new EventRows(events, vault)
      const { rows, bytes } = written
      if (rows.length === 0) return written.results(() => ({ ok: true }))
      const isNew = await untilAborted(enqueue(rows, bytes), signal)
      return written.results((row) => ({ ok: true, duplicate: isNew[row] !== true }))
    },
    consumer: (options) =>
      createConsumer(createQueueSource({ kysely, schema, vault }, options.name), options),
  }
}
