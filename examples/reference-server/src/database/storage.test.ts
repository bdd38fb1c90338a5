import { describeWith } from '@sallyport/test-services'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openStorage } from './storage.ts'

it('logs what its shared queue held that is no event, which nobody was told', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sallyport-storage-'))
  const log = { debug: vi.fn<() => void>(), error: vi.fn<(fields: { err: Error }) => void>() }
  const storage = await openStorage({ DATA_DIR, DATABASE_URL: undefined, MIGRATE: true }, log)
  const { signal } = new AbortController()
  const source = { provider: 'doorbell', deliveryId: 'd', receivedAt: 0 }
  const event = {
    id: 'doorbell:a',
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: 0,
    data: {},
    source,
  } as const
  await storage.queue.enqueue([event], signal)
  await sql`update queued_events set event = '{'`.execute(storage.db)
  expect(await storage.queue.receive({ limit: 1, signal })).toEqual([])
  expect(log.error.mock.calls.map(([{ err }]) => err.message)).toEqual([
    expect.stringContaining('doorbell:a was taken out'),
  ])
  await storage.close()
  await rm(DATA_DIR, { recursive: true })
})

describeWith('postgres', (postgres) => {
  it('logs that connections were lost, wake-ups among them, which nobody was told', async () => {
    const log = { debug: vi.fn<() => void>(), error: vi.fn<(fields: { err: Error }) => void>() }
    const storage = await openStorage({ DATA_DIR: '', DATABASE_URL: postgres().url, MIGRATE: true }, log)
    const ready = Promise.withResolvers<unknown>()
    storage.onWork?.(ready.resolve)
    await ready.promise
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sallyport'
      and datname = current_database() and pid <> pg_backend_pid()`.execute(storage.db)
    await vi.waitFor(
      () => {
        expect(log.error.mock.calls.map(([{ err }]) => String(err)).join()).toContain('listens was lost')
      },
      { timeout: 60_000 },
    )
    await storage.close()
  })
})
