import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { type WebhookEvent } from '@sallyport/webhooks'
import { createDelivery } from '@sallyport/test-support/records'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, it } from 'vitest'

const effects = pgTable('effects', { id: text().notNull() })
const { signal } = new AbortController()

describeWith('postgres', (postgres) => {
  it('settles an event in a transaction of Drizzle', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url })
    await pool.query('create table effects (id text)')
    const database = await openPostgres({ ...postgres(), schema: 'sallyport', migrate: true })
    const handle = database.transactional(
      ({ id }: WebhookEvent) =>
        (transaction) =>
          transaction.insert(effects).values({ id }),
      { client: drizzle({ client: pool }) },
    )
    const id = `a'$1\\b`
    const delivery = createDelivery(1, id)
    const { events } = await database.inbox().record(delivery, { leaseMs: 60_000 })
    const [recorded] = events
    const event = delivery.events[0]?.event
    if (recorded?.lease === undefined || event === undefined) throw new Error('The delivery has no event')
    const lease = { id: recorded.id, lease: recorded.lease }
    expect(await handle.runInTransaction(event, signal, lease)).toBe(true)
    expect(await handle.runInTransaction(event, signal, lease)).toBe(false)
    const { rows } = await pool.query<{ id: string }>('select id from effects')
    expect(rows).toEqual([{ id: recorded.id }])
    await database.close()
    await pool.end()
  })
})
