import { setTimeout as sleep } from 'node:timers/promises'
import { postponedMs } from '@sallyport/internal/postponed'
import type { TransactionalHandler, WebhookEvent } from '@sallyport/webhooks'
import { describeWith } from '@sallyport/test-support/services'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { getDelivery } from '../../test/records.ts'
import { openPostgres, type PostgresDatabase } from './index.ts'
import type { HandlerClient } from './handler-client.ts'

const { signal } = new AbortController()

type Tables = { effects: { id: string } }
type Handle = TransactionalHandler<WebhookEvent>

/** The shape of a Drizzle database, whose transactions run SQL without parameters. */
interface DrizzleTransaction {
  execute(text: string): Promise<{ rows: unknown[] }>
}

describeWith('postgres', (postgres) => {
  let pool: pg.Pool
  let kysely: Kysely<Tables>
  let database: PostgresDatabase
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: postgres().url })
    kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    await pool.query('create table effects (id text)')
    database = await openPostgres({
      ...postgres(),
      schema: 'sallyport',
      handlerConnections: 2,
      migrate: true,
    })
  })
  afterAll(async () => {
    await database.close()
    await pool.end()
  })

  const drizzle = {
    async transaction<T>(run: (transaction: DrizzleTransaction) => Promise<T>): Promise<T> {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const transaction = { execute: (text: string) => client.query(text), session: { client } }
        const result = await run(transaction)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }

  /** Records an event, and runs a handler under the lease of the event, or another one. */
  async function run(handle: Handle, id: string, lease?: string): Promise<boolean> {
    const { events } = await database.inbox().record(getDelivery(id), { leaseMs: 60_000 })
    const event = { ...getDelivery(id).events[0]!.event }
    return await handle.runInTransaction(event, signal, { id, lease: lease ?? events[0]?.lease ?? '' })
  }
  const effects = async () =>
    (await pool.query<Tables['effects']>('delete from effects returning id')).rows.map(({ id }) => id)

  const insert = 'insert into effects values ($1)'
  const clients: Readonly<Record<string, () => Handle>> = {
    'a pool of pg': () =>
      database.transactional(
        ({ id }: WebhookEvent) =>
          (client) => {
            expectTypeOf(client).toEqualTypeOf<{ readonly query: pg.Pool['query'] }>()
            return client.query(insert, [id])
          },
        { client: pool },
      ),
    Kysely: () =>
      database.transactional(
        ({ id }: WebhookEvent) =>
          (transaction) => {
            expectTypeOf(transaction).toEqualTypeOf<Transaction<Tables>>()
            return transaction.insertInto('effects').values({ id }).execute()
          },
        { client: kysely },
      ),
    Drizzle: () =>
      database.transactional(
        ({ id }: WebhookEvent) =>
          (transaction) => {
            expectTypeOf(transaction).toEqualTypeOf<DrizzleTransaction>()
            return transaction.execute(`insert into effects values ('${id}')`)
          },
        { client: drizzle },
      ),
  }

  it.each(Object.entries(clients))('commits with a transaction of %s', async (name, create) => {
    const id = `${name} \\ it's "1"`.replaceAll("'", '_')
    expect(await run(create(), id)).toBe(true)
    expect(await effects()).toEqual([id])
    const [published] = await database.inbox().published({ limit: 1, before: 1e9 })
    expect(published?.event.id).toBe(id)
  })

  it.each(Object.entries(clients))(
    'rolls a transaction of %s back without the lease',
    async (name, create) => {
      expect(await run(create(), `${name}'s`.replaceAll("'", '"'), 'lost')).toBe(false)
      expect(await effects()).toEqual([])
    },
  )

  it('rolls back after a statement whose error the handler ignores', async () => {
    const careless = database.transactional(
      ({ id }: WebhookEvent) =>
        async (client) => {
          await client.query(insert, [id])
          await client.query('select missing').catch(() => undefined)
        },
      { client: pool },
    )
    await expect(run(careless, 'careless')).rejects.toMatchObject({ code: '25P02' })
    expect(await effects()).toEqual([])
  })

  it('gives the connection of a step that never ends back when its signal aborts', async () => {
    const stuck = [
      database.once('stuck', () => () => new Promise(() => undefined)),
      (event: { id: string }, aborted: AbortSignal) =>
        database
          .transactional(() => () => new Promise(() => undefined))
          .runInTransaction(event, aborted, {
            ...event,
            lease: 'any',
          }),
    ]
    const running = stuck.map((handle, index) =>
      handle({ id: `stuck:${index}` }, AbortSignal.timeout(100)).catch((error: unknown) => error),
    )
    expect(await Promise.all(running)).toMatchObject([{ name: 'TimeoutError' }, { name: 'TimeoutError' }])
    expect(await run(clients['a pool of pg']!(), 'after the stuck ones')).toBe(true)
    expect(await effects()).toEqual(['after the stuck ones'])
    let isHandled = false
    await database.once('later', () => () => (isHandled = true))({ id: 'later' }, signal)
    expect(isHandled).toBe(true)
  })

  it('refuses the statements of a step that outlives its transaction', async () => {
    const { promise: late, resolve } = Promise.withResolvers<unknown>()
    const slow = database.transactional(
      ({ id }: WebhookEvent) =>
        async (client) => {
          await sleep(200)
          resolve(client.query(insert, [id]))
        },
      { client: pool },
    )
    const lease = { id: 'too late', lease: 'any' }
    const event = getDelivery('too late').events[0]!.event
    await expect(slow.runInTransaction(event, AbortSignal.timeout(50), lease)).rejects.toThrow('timeout')
    await Promise.race([late, sleep(300)])
    expect(await effects()).toEqual([])
  })

  it('lets others publish while a process is suspended before the commit', async () => {
    const suspended = {
      transaction: <T>(run: (transaction: DrizzleTransaction) => Promise<T>) =>
        drizzle.transaction(async (transaction) => {
          const result = await run(transaction)
          await sleep(8000)
          return result
        }),
    }
    const running = run(
      database.transactional(() => undefined, { client: suspended }),
      'suspended',
    ).catch((error: unknown) => error)
    await sleep(500)
    const startedAt = performance.now()
    expect(await run(clients['a pool of pg']!(), 'meanwhile')).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(6000)
    expect(await effects()).toEqual(['meanwhile'])
    expect(await running).toBeInstanceOf(Error)
  })

  it('fails, and leaves the process alive, when the connection breaks during a step', async () => {
    const find = 'select pg_backend_pid() as pid'
    const end = async ({ rows }: { readonly rows: readonly unknown[] }) => {
      await pool.query('select pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid])
      await sleep(100)
    }
    const own = database.transactional(() => async (tx) => end(await sql.raw(find).execute(tx)))
    const ofPool = database.transactional(() => async (client) => end(await client.query(find)), {
      client: pool,
    })
    const ofDrizzle = database.transactional(() => async (tx) => end(await tx.execute(find)), {
      client: drizzle,
    })
    for (const [index, broken] of [own, ofPool, ofDrizzle].entries())
      await expect(run(broken, `broken:${index}`)).rejects.toThrow()
  })

  it('refuses another client, and one that is in a transaction', async () => {
    const use = (client: unknown) => () =>
      database.transactional(() => undefined, { client: client as HandlerClient })
    expect(use({ query: () => undefined })).toThrow('client must be')
    await kysely.transaction().execute((transaction) => {
      expect(use(transaction)).toThrow('must not be a transaction')
      return Promise.resolve()
    })
  })

  it.each(['its own pool', 'a shared pool'])('makes no attempt without a connection: %s', async (kind) => {
    const shared = new pg.Pool({ connectionString: postgres().url, max: 3 })
    const limits = { schema: 'sallyport', handlerConnections: 1, wakeUps: false }
    const opened =
      kind === 'its own pool'
        ? await openPostgres({ ...postgres(), ...limits, connectTimeoutMs: 200 })
        : await openPostgres({ pool: shared, ...limits, maxWaiting: 1 })
    const begun = Promise.withResolvers<undefined>()
    const ending = Promise.withResolvers<undefined>()
    const hanging = opened.once('hang', () => () => {
      begun.resolve(undefined)
      return ending.promise
    })({ id: `hang:${kind}` }, signal)
    await begun.promise
    const { event } = getDelivery('no connection').events[0]!
    const waiting = opened.transactional(() => undefined)
    const attempt = () => waiting.runInTransaction(event, signal, { id: event.id, lease: 'any' })
    const first = attempt().catch(() => undefined)
    await expect(attempt()).rejects.toMatchObject({ code: 'OVERLOADED', [postponedMs]: 1000 })
    ending.resolve(undefined)
    await Promise.all([hanging, first])
    await opened.close()
    await shared.end()
  })

  it.each(['its own pool', 'a shared pool'])('leaves connections to the gateway: %s', async (kind) => {
    const shared = new pg.Pool({ connectionString: postgres().url, max: 4 })
    const opened =
      kind === 'its own pool'
        ? database
        : await openPostgres({ pool: shared, schema: 'sallyport', wakeUps: false })
    const ending = Promise.withResolvers<undefined>()
    const hang = opened.once('hang', ({ id }: { id: string }) => async (transaction) => {
      await sql`select ${id}::text`.execute(transaction)
      await ending.promise
    })
    const hanging = Array.from({ length: 20 }, (_, index) => hang({ id: `${kind}:${index}` }, signal))
    await sleep(100)
    const inbox = opened.inbox()
    const recorded = await inbox.record(getDelivery(`while:${kind}`))
    expect(recorded.events[0]?.duplicate).toBe(false)
    expect((await inbox.claim('publish', { limit: 100, leaseMs: 60_000 })).length).toBeGreaterThan(0)
    ending.resolve(undefined)
    await Promise.all(hanging)
    if (opened !== database) await opened.close()
    await shared.end()
  })
})
