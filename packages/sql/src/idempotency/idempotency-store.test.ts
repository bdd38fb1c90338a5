import { createIdempotency } from '@sallyport/rest'
import { testIdempotencyStore } from '@sallyport/testing/rest'
import {
  DummyDriver,
  Kysely,
  type KyselyConfig,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  sql,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { idempotencyMigration } from './tables.ts'
import { createKyselyIdempotencyStore } from './idempotency-store.ts'

const response = { status: 201, headers: {}, body: '{}' }

describeDatabases({ '0001-idempotency': idempotencyMigration }, (databases) => {
  const clock = { now: 1_700_000_000_000 }

  async function emptyStores(options: { readonly now?: () => number } = {}) {
    const [one, other] = databases()
    await sql`delete from idempotency_records`.execute(one)
    return {
      one: createKyselyIdempotencyStore(one, options),
      other: createKyselyIdempotencyStore(other, options),
    }
  }

  testIdempotencyStore(
    { describe, expect, it },
    {
      create: async () => (await emptyStores({ now: () => clock.now })).one,
      elapse: (milliseconds) => {
        clock.now += milliseconds
      },
    },
  )

  it('quotes nothing of a kept response that cannot be read, as the parser of JSON would', async () => {
    const { one } = await emptyStores()
    const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
    await one.claim(claim)
    await one.complete({ ...claim, response, retentionMs: 60_000 })
    await sql`update idempotency_records set response = 'secret'`.execute(databases()[0])
    const error: unknown = await one.claim(claim).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 })
    expect(inspect(error)).not.toContain('secret')
  })

  it('gives a key to one of many claims in two processes, also when its lock has ended', async () => {
    const { one, other } = await emptyStores({ now: () => clock.now })
    for (let turn = 0; turn < 10; turn += 1) {
      const claims = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? one : other).claim({
            key: 'k',
            fingerprint: 'f',
            token: `${turn}-${index}`,
            lockMs: 1000,
          }),
        ),
      )
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'in-use')).toHaveLength(15)
      clock.now += 1000
    }
  })

  it('answers every claim while keys are released and claimed again', async () => {
    const { one, other } = await emptyStores()
    let running = 0
    const holders: number[] = []
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const store = index % 2 === 0 ? one : other
        for (let turn = 0; turn < 10; turn += 1) {
          const token = `${index}-${turn}`
          const claim = await store.claim({ key: 'k', fingerprint: 'f', token, lockMs: 60_000 })
          if (claim.state !== 'claimed') continue
          holders.push((running += 1))
          await sleep(1)
          running -= 1
          await store.release({ key: 'k', token })
        }
      }),
    )
    expect(holders.length).toBeGreaterThan(0)
    expect(new Set(holders)).toEqual(new Set([1]))
  })

  it('runs a request once of many in two processes', async () => {
    const { one, other } = await emptyStores()
    const keys = ['a secret of at least thirty-two bytes']
    const runners = [createIdempotency({ store: one, keys }), createIdempotency({ store: other, keys })]
    let runs = 0
    const request = { idempotencyKey: 'k', scope: 'u1', method: 'POST', path: '/posts', body: '{}' }
    const send = (index: number) =>
      runners[index % 2]!(request, async () => {
        runs += 1
        return response
      })
    await Promise.allSettled(Array.from({ length: 16 }, (_, index) => send(index)))
    expect(runs).toBe(1)
    expect(await send(0)).toEqual({ response, replayed: true })
  })

  it("goes by the database's clock when it is given none", async () => {
    const { one } = await emptyStores()
    const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 300 }
    // Before the first claim and after the last, so that a busy machine only adds to what was waited.
    const since = performance.now()
    expect(await one.claim(claim)).toEqual({ state: 'claimed' })
    let waited = 0
    let state = 'in-use'
    while (state === 'in-use' && waited < 30_000) {
      await sleep(20)
      ;({ state } = await one.claim({ ...claim, token: 't-2', lockMs: 60_000 }))
      waited = performance.now() - since
    }
    expect(state).toBe('claimed')
    expect(waited).toBeGreaterThan(200)
    const known = await one.claim(claim)
    expect(known.state === 'in-use' && known.retryAfterMs).toBeGreaterThan(50_000)
  })

  it('is a part of a transaction of any tables', async () => {
    const { one } = await emptyStores()
    const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
    const db = databases()[0] as unknown as Kysely<{ users: { id: string; name: string | null } }>
    const failing = db.transaction().execute(async (transaction) => {
      await createKyselyIdempotencyStore(transaction).claim(claim)
      throw new Error('never mind')
    })
    await expect(failing).rejects.toThrow('never mind')
    expect(await one.claim(claim)).toEqual({ state: 'claimed' })
  })

  it('stores the response and the row in one transaction', async () => {
    const { one } = await emptyStores()
    const db = databases()[0] as unknown as Kysely<{ users: { id: string; name: string | null } }>
    await sql`create table if not exists users (id text, name text)`.execute(db)
    await db.deleteFrom('users').execute()
    const idempotent = createIdempotency({ store: one, keys: ['a secret of at least thirty-two bytes'] })
    const request = { idempotencyKey: 'k', scope: 'u1', method: 'POST', path: '/users', body: '{}' }
    const attempt = (end: 'rolled back' | 'unheard of' | 'answered') =>
      idempotent(request, async (keep) => {
        await db.transaction().execute(async (transaction) => {
          await transaction.insertInto('users').values({ id: 'u', name: end }).execute()
          await keep(response, createKyselyIdempotencyStore(transaction))
          if (end === 'rolled back') throw new Error(end)
        })
        if (end === 'unheard of') throw new Error(end)
        return response
      })
    await expect(attempt('rolled back')).rejects.toThrow()
    await expect(attempt('unheard of')).rejects.toThrow()
    expect(await attempt('answered')).toEqual({ response, replayed: true })
    expect(await db.selectFrom('users').select('name').execute()).toEqual([{ name: 'unheard of' }])
  })

  // It waited for the row's lock until it timed out, and with it a connection for each repetition.
  it('reports a key as in use while its response is being committed', async () => {
    const { one } = await emptyStores()
    const [db, repeats] = databases()
    const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
    await one.claim(claim)
    await db.transaction().execute(async (transaction) => {
      await createKyselyIdempotencyStore(transaction).complete({ ...claim, response, retentionMs: 60_000 })
      // SQLite has one writer and one connection, so the other database has a separate connection.
      const known = await createKyselyIdempotencyStore(repeats).claim({ ...claim, token: 't-2' })
      expect(known.state).toBe('in-use')
    })
    expect(await one.claim({ ...claim, token: 't-2' })).toMatchObject({ state: 'completed' })
  })

  it('forgets what has expired, in as many statements as it takes', async () => {
    const { one } = await emptyStores({ now: () => clock.now })
    const [db] = databases()
    await sql`
      insert into idempotency_records (key, fingerprint, token, ends_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2500)
      select 'old-' || n, 'f', 't', ${sql.lit(clock.now)} from numbers`.execute(db)
    await one.claim({ key: 'k', fingerprint: 'f', token: 't', lockMs: 1 })
    expect(await one.prune()).toBe(2500)
    expect(await one.prune()).toBe(0)
    expect((await one.claim({ key: 'k', fingerprint: 'f', token: 't', lockMs: 1 })).state).toBe('in-use')
  })
})

it('refuses a database whose clock it does not know', () => {
  const dialect: KyselyConfig['dialect'] = {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  }
  expect(() => createKyselyIdempotencyStore(new Kysely<unknown>({ dialect }))).toThrow(TypeError)
})
