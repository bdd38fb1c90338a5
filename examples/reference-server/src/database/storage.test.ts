import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { checkReadiness } from '@sallyport/rest/health'
import { openStorage, type Storage } from './storage.ts'

const record = { id: 'd', provider: 'doorbell', receivedAt: 0, headers: {}, body: new Uint8Array() }
const quarantine = { key: 'doorbell:q', reason: 'NORMALIZER_FAILED' }

/** Rejects deliveries with a trigger, like a full disk. */
async function expectUnready(storage: Storage, statements: { fail: readonly string[]; mend: string }) {
  const recording = () => storage.inbox.record({ ...record, events: [], quarantine })
  for (const statement of statements.fail) await sql.raw(statement).execute(storage.db)
  await expect(recording()).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
  await expect(storage.inbox.ping()).resolves.toBe(undefined)
  expect(await checkReadiness(storage.dependencies)).toMatchObject({
    ready: false,
    dependencies: { inbox: 'unavailable' },
  })
  await sql.raw(statements.mend).execute(storage.db)
  await recording()
  expect(await checkReadiness(storage.dependencies)).toMatchObject({ ready: true })
  await storage.close()
}

it('is not ready from a failed record in SQLite to the next recorded delivery', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sallyport-storage-'))
  const log = { debug: vi.fn<() => void>(), error: vi.fn<() => void>() }
  const storage = await openStorage({ DATA_DIR, DATABASE_URL: undefined, MIGRATE: true }, log)
  await expectUnready(storage, {
    fail: ["create trigger full before insert on deliveries begin select raise(abort, 'full'); end"],
    mend: 'drop trigger full',
  })
  await rm(DATA_DIR, { recursive: true })
})

it('stays ready with a notice when a newer version has migrated the database', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sallyport-storage-'))
  const log = { debug: vi.fn<() => void>(), error: vi.fn<() => void>() }
  const storage = await openStorage({ DATA_DIR, DATABASE_URL: undefined, MIGRATE: true }, log)
  const event = {
    ...{ id: 'doorbell:a', name: 'doorbell/bell.rung', subject: 'front', ts: 0, data: {} },
    source: { provider: 'doorbell', deliveryId: 'd', receivedAt: 0 },
  } as const
  await storage.inbox.record({ ...record, events: [{ event, route: 'direct', notify: false }] })
  expect(storage.notices().join()).not.toContain('newer version')
  await sql`insert into sallyport_migrations values ('9999-later@', '2099')`.execute(storage.db)
  const claiming = storage.inbox.claim('publish', { limit: 1, leaseMs: 1000 })
  await expect(claiming).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' })
  expect(storage.notices().join()).toContain('newer version (9999-later@)')
  expect(await checkReadiness(storage.dependencies)).toMatchObject({ ready: true })
  await storage.close()
  await rm(DATA_DIR, { recursive: true })
})

describeWith('postgres', (postgres) => {
  it('is not ready from a full disk of PostgreSQL to the next recorded delivery', async () => {
    const log = { debug: vi.fn<() => void>(), error: vi.fn<() => void>() }
    const storage = await openStorage({ DATA_DIR: '', DATABASE_URL: postgres().url, MIGRATE: true }, log)
    await expectUnready(storage, {
      fail: [
        "create function no_space() returns trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$",
        'create trigger no_space before insert on deliveries for each row execute function no_space()',
      ],
      mend: 'drop function no_space cascade',
    })
  })

  it('logs lost connections, including the connection for wake-ups', async () => {
    const log = { debug: vi.fn<() => void>(), error: vi.fn<(fields: { err: Error }) => void>() }
    const storage = await openStorage({ DATA_DIR: '', DATABASE_URL: postgres().url, MIGRATE: true }, log)
    const ready = Promise.withResolvers<unknown>()
    storage.stores.onWork?.(ready.resolve)
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
