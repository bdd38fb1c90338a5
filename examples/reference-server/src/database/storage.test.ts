import { describeWith } from '@sallyport/test-services'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { openStorage } from './storage.ts'

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
