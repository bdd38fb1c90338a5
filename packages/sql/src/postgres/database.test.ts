import { describeWith } from '@sallyport/test-support/services'
import { sql, type Kysely } from 'kysely'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createProxy } from '../../test/proxy.ts'
import { openPostgres } from './index.ts'
import { PostgresConnectionError } from './errors.ts'
import type { OwnPoolOptions } from './options.ts'

const secret = 'a-s3cret'
const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }
const overloaded = { code: 'OVERLOADED', status: 503, headers: { 'Retry-After': '1' } }

/** Everything that a log could show of an error. */
const everything = (error: unknown) => inspect(error, { depth: 20, showHidden: true })
const getError = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

async function getPid(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]!.pid
}

describeWith('postgres', (postgres) => {
  async function using<T>(
    options: Partial<OwnPoolOptions>,
    work: (db: Kysely<unknown>) => Promise<T>,
  ): Promise<T> {
    const database = await openPostgres({ ...postgres(), ...options })
    try {
      return await work(database.kysely)
    } finally {
      await database.close()
    }
  }

  const getAddress = (changes: Partial<URL>) => Object.assign(new URL(postgres().url), changes).href

  it('reads bigint and counts as numbers, and fails rather than lose digits', async () => {
    await using({}, async (db) => {
      const { rows } =
        await sql`select count(*), 9007199254740991::bigint as max, null::bigint as none`.execute(db)
      expect(rows).toEqual([{ count: 1, max: Number.MAX_SAFE_INTEGER, none: null }])
      await expect(sql`select 9007199254740992::bigint`.execute(db)).rejects.toThrow(RangeError)
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    })
  })

  it('gives its name to the server, unless the URL names another', async () => {
    const name = sql<{ name: string }>`select current_setting('application_name') as name`
    const getName = async (db: Kysely<unknown>) => (await name.execute(db)).rows[0]?.name
    expect(await using({}, getName)).toBe('sallyport')
    expect(await using({ applicationName: 'dispatcher' }, getName)).toBe('dispatcher')
    expect(await using({ url: getAddress({ search: '?application_name=mine' }) }, getName)).toBe('mine')
  })

  it('leaves the errors of statements as they are', async () => {
    await using({}, async (db) => {
      await expect(sql`select 1 / 0`.execute(db)).rejects.toMatchObject({ code: '22012' })
    })
  })

  it.each([
    ['there is no such database', '3D000', { pathname: '/nowhere' }],
    ['it refuses the user', '28000', { username: 'nobody' }],
    ['nothing listens there', 'ECONNREFUSED', { hostname: '127.0.0.1', port: '9' }],
  ])('says that %s, and shows no password', async (reason, code, changes) => {
    const url = getAddress({ ...changes, password: secret })
    const error = await getError(openPostgres({ url }))
    expect(error).toBeInstanceOf(PostgresConnectionError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(reason) as string })
    const { host, pathname, username } = new URL(url)
    expect(String(error)).toContain(`${host}${pathname} as ${username}`)
    expect(everything(error)).not.toContain(secret)
  })

  it('cancels a slow statement and continues', async () => {
    await using({ statementTimeoutMs: 500 }, async (db) => {
      await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: '57014' })
      await sql`select 1`.execute(db)
    })
  })

  it('ends a transaction that waits for nothing, and frees what it held', async () => {
    await using({ idleInTransactionTimeoutMs: 50 }, async (db) => {
      const transaction = db.transaction().execute(async (own) => {
        await sql`select pg_advisory_xact_lock(1)`.execute(own)
        await sql`select pg_advisory_xact_lock(1)`.execute(db)
        await sql`select 1`.execute(own)
      })
      await expect(transaction).rejects.toMatchObject(unavailable)
    })
  })

  it('lets callers wait for a connection for a while, and not too many of them', async () => {
    await using({ maxConnections: 1, maxWaiting: 1, connectTimeoutMs: 100 }, async (db) => {
      await db.connection().execute(async () => {
        const waiting = sql`select 1`.execute(db)
        await expect(sql`select 1`.execute(db)).rejects.toMatchObject(overloaded)
        await expect(waiting).rejects.toMatchObject(overloaded)
      })
      await sql`select 1`.execute(db)
    })
  })

  it('survives connections that break during, between and after statements', async () => {
    const onConnectionLost = vi.fn<(error: Error) => void>()
    const url = getAddress({ password: secret })
    await using({ url, onConnectionLost, maxConnections: 1 }, async (db) => {
      await using({}, async (other) => {
        const kill = (pid: number) => sql`select pg_terminate_backend(${pid}::int)`.execute(other)

        const running = db.connection().execute(async (own) => {
          const pid = await getPid(own)
          const sleeping = getError(sql`select pg_sleep(5)`.execute(own))
          await kill(pid)
          return sleeping
        })
        expect(await running).toMatchObject(unavailable)
        expect(everything(await running)).not.toContain(secret)

        const between = db.transaction().execute(async (own) => {
          await kill(await getPid(own))
          await expect
            .poll(() => sql`select 1`.execute(own).catch((error: unknown) => error))
            .toMatchObject(unavailable)
          await sql`select 1`.execute(own)
        })
        await expect(between).rejects.toMatchObject(unavailable)

        onConnectionLost.mockClear()
        await kill(await getPid(db))
        await expect.poll(() => onConnectionLost).toHaveBeenCalledOnce()
        const [told] = onConnectionLost.mock.calls[0]!
        expect(told).toMatchObject({ code: '57P01' })
        expect(everything(told)).not.toContain(secret)
        await sql`select 1`.execute(db)
      })
    })
  })

  it('times out on a server that vanished and closes the connection', async () => {
    const proxy = await createProxy(postgres().url)
    await using({ url: proxy.url, maxConnections: 1, statementTimeoutMs: 200 }, async (db) => {
      const before = await getPid(db)
      proxy.freeze()
      await expect(sql`select 1`.execute(db)).rejects.toMatchObject(unavailable)
      proxy.thaw()
      expect(await getPid(db)).not.toBe(before)
    })
    await proxy.close()
  })

  it('takes nothing after it was closed, and may be closed twice', async () => {
    const database = await openPostgres(postgres())
    await Promise.all([database.close(), database.close()])
    await database.close()
    await expect(sql`select 1`.execute(database.kysely)).rejects.toThrow()
  })
})

it('gives up on a server that never answers', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `postgres://u:${secret}@127.0.0.1:${port}/d`
  const error = await getError(openPostgres({ url, connectTimeoutMs: 100 }))
  expect(error).toMatchObject({
    code: 'TIMEOUT',
    message: expect.stringContaining('does not answer') as string,
  })
  expect(everything(error)).not.toContain(secret)
  silent.close()
})

it.each([
  '',
  secret,
  `mysql://u:${secret}@127.0.0.1/d`,
  `postgres://u:${secret}@127.0.0.1:port/d`,
  `postgres://u:${secret}@127.0.0.1/d?sslrootcert=/nowhere.pem`,
])('refuses %j as a URL, and does not show it', async (url) => {
  const error = await getError(openPostgres({ url, connectTimeoutMs: 100 }))
  expect(error).toBeInstanceOf(TypeError)
  expect(everything(error)).not.toContain(secret)
})

it.each([{ maxConnections: 0 }, { statementTimeoutMs: Number.NaN }, { idleTimeoutMs: 1.5 }])(
  'refuses %j',
  async (options) => {
    await expect(openPostgres({ url: 'postgres://127.0.0.1:9/d', ...options })).rejects.toThrow(TypeError)
  },
)
