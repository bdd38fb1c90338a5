import { sql, type Kysely } from 'kysely'
import type { Clock } from '../internal/clock.ts'
import type { LeaseRequest } from '../inbox/inbox.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { StoredEvent } from '../inbox/stored.ts'
import { admitCtes, firstByName, keyName, type Key } from './admit.ts'
import { waitForDisk } from './durable.ts'

/**
 * Gives a quarantined delivery its events; undefined when no such delivery is in quarantine.
 *
 * The delivery is locked before keys and events: holders of those locks never wait for a quarantined delivery.
 */
export function resolveDelivery(
  db: Kysely<InboxTables>,
  clock: Clock,
  id: string,
  events: readonly StoredEvent[],
  lease: LeaseRequest | undefined,
): Promise<readonly boolean[] | undefined> {
  return db.transaction().execute(async (transaction) => {
    const delivery = await transaction
      .selectFrom('deliveries')
      .select('sequence')
      .where('id', '=', id)
      .where('eventless', '=', 'quarantined')
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (delivery === undefined) return undefined
    const asked = events.map((event): Key => ({ place: 1, scope: 'event', key: event.id, event }))
    const firsts = firstByName(asked)
    const { rows } = await sql<Pick<Key, 'scope' | 'key'>>`
      with clock as materialized (select ${clock()} as at, ${waitForDisk}),
      incoming as materialized (
        select 1::bigint as place, sequence, provider, received_at, ${lease?.token ?? null}::text as lease,
          ${lease?.leaseMs ?? null}::bigint as lease_ms
        from deliveries where sequence = ${delivery.sequence}
      ),
      ${admitCtes([...firsts.values()])}
      select scope, key from fresh`.execute(transaction)
    const fresh = new Set(rows.map(keyName))
    await transaction
      .updateTable('deliveries')
      .set({ eventless: fresh.size > 0 ? null : 'resolved', quarantine_reason: null })
      .where('sequence', '=', delivery.sequence)
      .execute()
    return asked.map((key) => firsts.get(keyName(key)) !== key || !fresh.has(keyName(key)))
  })
}
