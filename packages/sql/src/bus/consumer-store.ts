import {
  decodeEvent,
  type ConsumerDeadLetter,
  type ConsumerQuery,
  type ConsumerRetry,
  type ConsumerStore,
} from '@sallyport/webhooks/consumer'
import type { WebhookEvent } from '@sallyport/webhooks'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { databaseClock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { Vault } from '../encryption/vault.ts'
import { openEvent, type EventCopy } from '../internal/event-json.ts'
import { unescapeText } from '../internal/text.ts'
import { countUpTo, readConsumerStates } from './consumer-states.ts'
import { createWaiting, hashLane } from './waiting.ts'

/** The dead letters that one transaction retries. */
const mostRetries = 1000

/** Creates the store of the consumers of the embedded bus. */
export function createConsumerStore(db: Kysely<InboxTables>, vault: Vault): ConsumerStore {
  const clock = databaseClock(db)
  /** Runs a transaction that no change of the consumer overlaps. */
  const change = <T>(consumer: string, run: (transaction: Kysely<InboxTables>) => Promise<T>) =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('bus_consumers')
        .set((row) => ({ position: row.ref('position') }))
        .where('name', '=', consumer)
        .execute()
      return run(transaction)
    })

  const selectDeadLetters = (consumer: string) =>
    db.selectFrom('bus_dead_letters').where('consumer', '=', consumer)
  const selectRetries = (consumer: string) =>
    db
      .selectFrom('bus_waiting as w')
      .leftJoin('bus_events as b', 'b.sequence', 'w.sequence')
      .where('w.consumer', '=', consumer)
      .where('w.due_at', 'is not', null)
      .where('w.error', 'is not', null)

  return {
    list: () => readConsumerStates(db, clock),

    async deadLetters(query) {
      const { order, offset, limit, ...range } = readPage(query)
      const rows = await selectDeadLetters(query.consumer)
        .select(['sequence', 'id', 'event', 'reason', 'dead_at'])
        .select((row) => isRetried(row).as('retried'))
        .where('sequence', '>', range.after)
        .where('sequence', '<', range.before)
        .orderBy('sequence', order)
        .limit(limit)
        .offset(offset)
        .execute()
      const letters = rows.map((row): ConsumerDeadLetter => ({
        ...toItem(row, vault),
        error: row.reason,
        deadAt: row.dead_at,
        isRetried: Boolean(row.retried),
      }))
      return order === 'asc' ? letters : letters.reverse()
    },

    async countDeadLetters(consumer) {
      const rows = await selectDeadLetters(consumer).select('sequence').limit(countUpTo).execute()
      return rows.length
    },

    async retries(query) {
      const { order, offset, limit, ...range } = readPage(query)
      const rows = await selectRetries(query.consumer)
        .select(['w.sequence', 'b.id', 'b.event', 'w.error', 'w.failures', 'w.due_at'])
        .where('w.sequence', '>', range.after)
        .where('w.sequence', '<', range.before)
        .orderBy('w.sequence', order)
        .limit(limit)
        .offset(offset)
        .execute()
      const retries = rows.map(({ error, failures, due_at, ...row }): ConsumerRetry => ({
        ...toItem(row, vault),
        error: error ?? '',
        failures,
        dueAt: due_at ?? 0,
      }))
      return order === 'asc' ? retries : retries.reverse()
    },

    async countRetries(consumer) {
      const rows = await selectRetries(consumer).select('w.sequence').limit(countUpTo).execute()
      return rows.length
    },

    retry: (consumer, sequences) =>
      change(consumer, async (transaction) => {
        const letters = await findToRetry(transaction, consumer, sequences)
        if (letters.length === 0) return 0
        const rows = letters.map(({ sequence, ...letter }) => {
          return { sequence, lane: hashLane(() => decodeEvent(JSON.parse(openEvent(letter, vault)))) }
        })
        const waiting = createWaiting(transaction, clock, consumer)
        await waiting.insert(transaction, rows)
        await waiting.advance(transaction, [...new Set(rows.map(({ lane }) => lane))])
        return letters.length
      }),

    discard: (consumer, sequence) =>
      change(consumer, async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('bus_dead_letters')
          .where('consumer', '=', consumer)
          .where('sequence', '=', sequence)
          .executeTakeFirst()
        const waited = await transaction
          .deleteFrom('bus_waiting')
          .where('consumer', '=', consumer)
          .where('sequence', '=', sequence)
          .returning('lane')
          .execute()
        if (waited.length > 0)
          await createWaiting(transaction, clock, consumer).advance(
            transaction,
            waited.map(({ lane }) => lane),
          )
        return numDeletedRows > 0n
      }),

    remove: (consumer) =>
      db.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('bus_consumers')
          .where('name', '=', consumer)
          .where((row) => row.or([row('lease_ends_at', 'is', null), row('lease_ends_at', '<=', clock())]))
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        for (const table of ['bus_settled', 'bus_waiting', 'bus_dead_letters'] as const)
          await transaction.deleteFrom(table).where('consumer', '=', consumer).execute()
        return true
      }),
  }
}

function findToRetry(
  db: Kysely<InboxTables>,
  consumer: string,
  sequences: readonly number[] | undefined,
): Promise<readonly { readonly sequence: number; readonly id: string; readonly event: string }[]> {
  const letters = db
    .selectFrom('bus_dead_letters')
    .select(['sequence', 'id', 'event'])
    .where('consumer', '=', consumer)
  if (sequences !== undefined) return letters.where('sequence', 'in', sequences).execute()
  return letters
    .where((row) => row.not(isRetried(row)))
    .orderBy('sequence')
    .limit(mostRetries)
    .execute()
}

const isRetried = (row: ExpressionBuilder<InboxTables, 'bus_dead_letters'>) =>
  row.exists(
    row
      .selectFrom('bus_waiting as w')
      .select('w.lane')
      .whereRef('w.consumer', '=', 'bus_dead_letters.consumer')
      .whereRef('w.sequence', '=', 'bus_dead_letters.sequence'),
  )

/** A page before a sequence is read backwards. */
function readPage({ after = 0, before, offset = 0, limit }: ConsumerQuery) {
  const order = before === undefined ? ('asc' as const) : ('desc' as const)
  return { after, before: before ?? Number.MAX_SAFE_INTEGER, order, offset, limit }
}

interface ItemRow {
  readonly sequence: number
  readonly id: string | null
  readonly event: string | null
}

function toItem({ sequence, id, event }: ItemRow, vault: Vault) {
  const copy = id === null || event === null ? undefined : { id, event }
  return { sequence, eventId: unescapeText(id ?? ''), event: copy && readHead(copy, vault) }
}

function readHead(copy: EventCopy, vault: Vault): WebhookEvent | undefined {
  try {
    return { ...decodeEvent(JSON.parse(openEvent(copy, vault))), data: undefined }
  } catch {
    return undefined
  }
}
