import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import type { InboxTables } from '../internal/tables.ts'
import { removeRows, type Removal } from '../deliveries/remove.ts'

const nothing = { events: [], deliveries: [], bodies: [], keys: [] }
const none = { events: 0, deliveries: 0, bodies: 0, keys: 0 }

// They were found to be of no use, and have become it again before they are deleted: by a replay, say.
describeWith('postgres', (postgres) => {
  const database = openProcesses(1, postgres)
  const tables = () => database().kysely.$extendTables<InboxTables>()

  const remove = (removal: Partial<Removal>) =>
    tables()
      .transaction()
      .execute((db) =>
        removeRows({ db, at: 0, lock: (clause) => sql.raw(clause) }, { ...nothing, ...removal }),
      )

  async function getSequence(id: string): Promise<number> {
    const { sequence } = await tables()
      .selectFrom('deliveries')
      .select('sequence')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return sequence
  }

  it('keeps the body of a delivery that has not ended', async () => {
    const inbox = database().inbox()
    const pending = getDelivery('body:pending')
    const quarantined = getDelivery('', { events: [], quarantine: { key: 'body:q', reason: 'X' } })
    for (const delivery of [pending, quarantined]) {
      await inbox.record(delivery)
      const bodies = [await getSequence(delivery.id)]
      expect(await remove({ bodies })).toEqual(none)
      expect((await inbox.get(delivery.id))?.bodyState).toBe('stored')
    }
  })

  it('keeps an event that has not ended, and its delivery', async () => {
    const inbox = database().inbox()
    const delivery = getDelivery('event:pending')
    await inbox.record(delivery)
    const sequence = await getSequence(delivery.id)
    const rows = await tables()
      .selectFrom('events')
      .select('sequence')
      .where('delivery', '=', sequence)
      .execute()
    const events = rows.map((row) => row.sequence)
    expect(events).toHaveLength(1)
    expect(await remove({ events, deliveries: [sequence] })).toEqual(none)
    expect((await inbox.get(delivery.id))?.events).toHaveLength(1)
  })

  it('keeps the key of what is there', async () => {
    const inbox = database().inbox()
    await inbox.record(getDelivery('key:a'))
    const quarantine = { key: 'key:q', reason: 'X' }
    await inbox.record(getDelivery('', { events: [], quarantine }))
    const keys = [
      { scope: 'event', key: 'key:a' },
      { scope: 'quarantine', key: 'key:q' },
    ] as const
    expect(await remove({ keys })).toEqual(none)
    for (const again of [getDelivery('key:a'), getDelivery('', { events: [], quarantine })])
      expect((await inbox.record(again)).events[0]?.duplicate).toBe(true)
  })
})
