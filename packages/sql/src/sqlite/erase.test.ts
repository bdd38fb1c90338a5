import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { getDelivery } from '../../test/records.ts'
import { openSqlite } from './index.ts'

const said = 'said in confidence'
const { signal } = new AbortController()

it.each([
  ['in a row', 100],
  ['in separate pages', 50_000],
])('removes erased data from the file, for data %s', async (_, bytes) => {
  // Freed pages must not keep the data of an earlier state of the event.
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-erase-'))
  const path = join(directory, 'inbox.db')
  const database = await openSqlite({ path })
  const inbox = database.inbox()
  const bus = database.bus()
  const queue = database.queue()
  const deliveries = [getDelivery('erase:a'), getDelivery('erase:b')].map((delivery) => ({
    ...delivery,
    headers: { 'x-note': said },
    // Random bytes are stored uncompressed, so that the file contains them verbatim.
    body: Buffer.concat([randomBytes(bytes), Buffer.from(said)]),
    events: delivery.events.map((record) => {
      return { ...record, event: { ...record.event, data: { said: Array(bytes / 20).fill(said) } } }
    }),
  }))
  for (const delivery of deliveries) await inbox.record(delivery)
  for (const work of ['publish', 'notify'] as const) {
    const claimed = await inbox.claim(work, { limit: 10, leaseMs: 60_000 })
    expect(claimed).toHaveLength(deliveries.length)
    if (work === 'publish') {
      const events = claimed.map(({ event }) => event)
      await queue.publish(events, signal)
      const consumer = queue.consumer({ name: 'drainer', handlers: {} })
      await consumer.start()
      await vi.waitFor(async () => {
        expect(await database.kysely.selectFrom('queued_events').select('id').execute()).toEqual([])
      })
      await consumer.stop()
      await bus.publish(events, signal)
    }
    const done = claimed.map(({ event, lease }) => {
      return { id: event.id, lease, outcome: { status: 'done' } as const }
    })
    await inbox.settle(work, done)
  }
  expect((await readFile(`${path}-wal`)).includes(said)).toBe(true)
  for (const { id } of deliveries) expect(await inbox.eraseBody(id)).toBe(true)
  await inbox.close()
  await database.close()
  expect((await readFile(path)).includes(said)).toBe(false)
  await rm(directory, { recursive: true })
})
