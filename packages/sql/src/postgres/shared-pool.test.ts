import { idempotencyMigration } from '../idempotency/tables.ts'
import { createKyselyIdempotencyStore } from '../idempotency/idempotency-store.ts'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { sessionsMigration } from '../sessions/tables.ts'
import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from './index.ts'

const { signal } = new AbortController()
const schema = 'sallyport'

describeWith('postgres', (postgres) => {
  async function using<T>(options: pg.PoolConfig, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const pool = new pg.Pool({ connectionString: postgres().url, ...options })
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }

  it('is used as it is: its settings, its types and its search path stay', async () => {
    await using({ max: 3, statement_timeout: 4321 }, async (pool) => {
      const database = await openPostgres({ pool, schema, wakeUps: false })
      await database.migrate()
      const inbox = database.inbox()
      await inbox.record(getDelivery('a'))
      const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 60_000 })
      expect(claimed?.since).toBeTypeOf('number')
      const clients = await Promise.all([1, 2, 3].map(() => pool.connect()))
      for (const client of clients) {
        const { rows } =
          await client.query(`select count(*) as count, current_setting('statement_timeout') as timeout,
          current_setting('search_path') as path from ${schema}.events`)
        expect(rows).toEqual([{ count: '1', timeout: '4321ms', path: '"$user", public' }])
        client.release()
      }
      expect((await pool.query(`select from pg_tables where schemaname = 'public'`)).rows).toEqual([])
      await database.close()
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    })
  })

  it('keeps the stores of sessions, idempotency records and refused deliveries in the schema', async () => {
    await using({}, async (pool) => {
      const database = await openPostgres({ pool, schema })
      const migrations = { '0001-sessions': sessionsMigration, '0002-idempotency': idempotencyMigration }
      await database.migrate(migrations, { table: 'my_migrations' })
      await database.check(migrations, { table: 'my_migrations' })
      const sessions = createKyselySessionStore(database.kysely)
      expect([await sessions.list('u'), await sessions.prune(1)]).toEqual([[], 0])
      const records = createKyselyIdempotencyStore(database.kysely)
      const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
      const states = [await records.claim(claim), await records.claim(claim)].map(({ state }) => state)
      expect([...states, await records.prune()]).toEqual(['claimed', 'in-use', 0])
      const refused = { id: 'a', outcome: 'refused', provider: 'doorbell', reason: 'mismatch' } as const
      const size = { bodyBytes: 0, storedBytes: 100 }
      const stored = { status: 401, receivedAt: 1000, headers: {}, body: new Uint8Array(), ...size }
      const unprocessed = database.unprocessed()
      await unprocessed.add([{ ...refused, ...stored }])
      await unprocessed.prune({ before: 2000, deliveries: 10, bytes: 1000 })
      expect(await unprocessed.count({})).toBe(0)
      await database.close()
    })
  })

  it('gives a connection for wake-ups, unless it has only one', async () => {
    for (const max of [1, 2]) {
      await using({ max }, async (pool) => {
        const database = await openPostgres({ pool, schema })
        await database.migrate()
        // It is called once the connection listens; closing would not wait for one that is still being opened.
        const listening = new Promise((resolve) => database.onWork(resolve))
        expect(
          (await database.queue().publish([getDelivery(`queue:${max}`).events[0]!.event], signal)).length,
        ).toBe(1)
        if (max > 1) await listening
        await vi.waitFor(
          () => {
            expect(pool.totalCount - pool.idleCount).toBe(max - 1)
          },
          { timeout: 60_000 },
        )
        await database.close()
        expect(pool.totalCount - pool.idleCount).toBe(0)
      })
    }
  })

  it('survives a connection that breaks while it is lent, and bounds who waits', async () => {
    await using({ max: 1, connectionTimeoutMillis: 100 }, async (pool) => {
      const { kysely, close } = await openPostgres({ pool, maxWaiting: 1 })
      const broken = kysely
        .connection()
        .execute((own) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(own))
      await expect(broken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      await kysely.connection().execute(async () => {
        const waiting = sql`select 1`.execute(kysely)
        await expect(sql`select 1`.execute(kysely)).rejects.toMatchObject({ code: 'OVERLOADED' })
        await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' })
      })
      await sql`select 1`.execute(kysely)
      await close()
    })
  })

  it('is left as it was by any number of databases that were opened over it', async () => {
    await using({}, async (pool) => {
      for (let count = 0; count < 12; count += 1) await (await openPostgres({ pool })).close()
      expect(pool.listenerCount('connect')).toBe(1)
    })
  })

  it('is refused with a name of a schema that cannot be one', async () => {
    await using({}, async (pool) => {
      for (const name of ['', 'x'.repeat(64)])
        await expect(openPostgres({ pool, schema: name })).rejects.toThrow(TypeError)
    })
  })

  it('says where a pool leads that has no database, and shows no password', async () => {
    const url = Object.assign(new URL(postgres().url), { pathname: '/nowhere', password: 'a-s3cret' }).href
    await using({ connectionString: url }, async (pool) => {
      const error: unknown = await openPostgres({ pool }).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: '3D000' })
      expect(String(error)).toContain('/nowhere as postgres')
      expect(String(error)).not.toContain('a-s3cret')
    })
  })
})
