import { describeWith } from '@sallyport/test-support/services'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres } from './index.ts'
import { openListening } from './listening.ts'
import type { SharedClient } from './shared-pool.ts'

// Generous: the machine may have much else to do.
const soon = { timeout: 60_000 }

describeWith('postgres', (postgres) => {
  const database = openProcesses(2, postgres)

  it('announce unleased work of another process, and no leased work', async () => {
    const own = await openPostgres(postgres())
    const heard: string[] = []
    const stop = own.onWork((work) => heard.push(work))
    const hears = (...works: readonly string[]) =>
      vi.waitFor(() => {
        expect(heard).toEqual(works)
      }, soon)
    // Notifications before the listener started may have been missed.
    await hears('publish', 'notify')
    const inbox = database(1).inbox()
    await inbox.record(getDelivery('work:kept'), { leaseMs: 60_000 })
    await inbox.record(getDelivery('work:left'))
    await hears('publish', 'notify', 'publish')
    await inbox.forwarded(['work:kept'])
    await hears('publish', 'notify', 'publish', 'notify')
    const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 60_000 })
    const released = {
      id: claimed!.event.id,
      lease: claimed!.lease,
      outcome: { status: 'released' },
    } as const
    await inbox.settle('publish', [released])
    await hears('publish', 'notify', 'publish', 'notify', 'publish')
    stop()
    await own.close()
  })

  it('combine the notifications of many records', async () => {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    const heard = vi.fn<() => void>()
    client.on('notification', heard)
    await client.query('listen sallyport')
    const inbox = database(1).inbox()
    await Promise.all(Array.from({ length: 1000 }, (_, index) => inbox.record(getDelivery(`many:${index}`))))
    await vi.waitFor(() => {
      expect(heard).toHaveBeenCalled()
    }, soon)
    expect(heard.mock.calls.length).toBeLessThan(500)
    await client.end()
  })

  it('come again when the connection was cut, and the server refused others for a while', async () => {
    const onConnectionLost = vi.fn<(error: Error) => void>()
    const own = await openPostgres({ ...postgres(), onConnectionLost })
    const heard = new Set<string>()
    own.onWork((work) => heard.add(work))
    const hears = (...works: readonly string[]) =>
      vi.waitFor(() => {
        expect([...heard].sort()).toEqual(works)
      }, soon)
    await hears('notify', 'publish')
    const url = new URL(postgres().url)
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const server = new pg.Client({ connectionString: url.href })
    await server.connect()
    await server.query(`alter database ${name} with allow_connections false`)
    await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name])
    await vi.waitFor(() => {
      expect(onConnectionLost.mock.calls.flat().map(String)).toContainEqual(
        expect.stringMatching(
          /^PostgresConnectionError: The connection to PostgreSQL at .* was lost: .* listens/,
        ),
      )
    }, soon)
    await expect(database(1).inbox().ping()).rejects.toMatchObject({ code: 'INBOX_UNAVAILABLE' })
    heard.clear()
    await server.query(`alter database ${name} with allow_connections true`)
    await server.end()
    // Notifications of this period were missed, so every topic is announced.
    await hears('notify', 'publish')
    heard.clear()
    await database(1).inbox().record(getDelivery('again'))
    await hears('publish')
    await own.close()
  })

  it('reject a connection without notifications, as with a pooler in transaction mode', async () => {
    const client = new pg.Client({ connectionString: postgres().url })
    await client.connect()
    const release = vi.fn<() => void>()
    const deaf = {
      query: (statement: pg.QueryConfig) => client.query(statement),
      on: () => undefined,
      release,
    } as unknown as SharedClient
    const opening = openListening(
      { connect: () => Promise.resolve(deaf), schema: undefined, timeoutMs: 100 },
      () => undefined,
    )
    await expect(opening).rejects.toMatchObject({ code: 'NO_NOTIFICATIONS' })
    expect(release).toHaveBeenCalledOnce()
    await client.end()
  })
})
