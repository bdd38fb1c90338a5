import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import { createMemoryInbox, type CompleteInbox } from '@sallyport/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hosts, type Host } from './hosts.ts'
import { createCall, createDelivery, createTestOperations, settleAll } from './operations.ts'

interface OpenInbox {
  readonly inbox: CompleteInbox
  readonly close: () => Promise<unknown>
}

/** Tests the API of one inbox on every host. */
function testHosts(open: () => Promise<OpenInbox>): void {
  let opened: OpenInbox
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  describe.each(Object.entries(hosts))('%s', (name, openHost) => {
    let host: Host
    beforeAll(async () => {
      host = await openHost(createTestOperations(opened.inbox))
    })
    afterAll(() => host.close())

    it('finds, shows, replays and erases a delivery', async () => {
      const call = createCall(host)
      const { inbox } = opened
      const delivery = createDelivery(`doorbell:${name}`)
      await inbox.record(delivery)
      await settleAll(inbox, 'dead')
      const list = await call('GET', '/deliveries?status=dead&limit=1&cursor=')
      expect(list).toMatchObject({ status: 200, body: { data: [{ id: delivery.id, status: 'dead' }] } })
      const path = `/deliveries/${delivery.id}`
      expect((await call('GET', path)).body).toMatchObject({
        data: { body: { data: '{}' }, events: [{ state: 'dead', failures: [{ error: 'TimeoutError' }] }] },
      })
      const query = new URLSearchParams({ event: `doorbell:${name}` }).toString()
      expect((await call('GET', `${path}/data?${query}`)).body).toEqual({ door: `doorbell:${name}` })
      expect(await call('POST', '/replays', { status: 'dead' })).toMatchObject({
        status: 202,
        body: { data: { deliveries: 1, replayed: 1, next: null } },
      })
      await settleAll(inbox, 'done')
      expect((await call('GET', '/events?limit=100&cursor=')).body).toMatchObject({
        data: expect.arrayContaining([expect.objectContaining({ delivery_id: delivery.id })]) as unknown,
      })
      expect((await call('DELETE', `${path}/body`)).status).toBe(204)
      expect((await call('POST', `${path}/replays`)).body).toMatchObject({ error: { code: 'CONFLICT' } })
    })

    it('answers 401 to unknown callers and 403 without the permission', async () => {
      const id = '01890a5d-ac96-774b-bcce-b302099a8057'
      const requests = [
        ['GET', '/deliveries', 200],
        ['GET', `/deliveries/${id}`, 404],
        ['GET', '/events', 200],
        ['POST', `/deliveries/${id}/replays`, 403],
        ['POST', '/replays', 403],
        ['DELETE', `/deliveries/${id}/body`, 403],
      ] as const
      for (const [method, path, status] of requests) {
        expect((await createCall(host, 'unknown')(method, path)).status, path).toBe(401)
        expect((await createCall(host, 'read')(method, path)).status, path).toBe(status)
      }
    })
  })
}

describe('with the inbox in memory', () => {
  testHosts(() => {
    const inbox = createMemoryInbox()
    return Promise.resolve({ inbox, close: () => inbox.close() })
  })
})

describe('with the inbox on SQLite', () => {
  testHosts(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operations-'))
    const database = await openSqlite({ path: join(folder, 'inbox.db') })
    return {
      inbox: database.inbox(),
      async close() {
        await database.close()
        await rm(folder, { recursive: true })
      },
    }
  })
})

describeWith('postgres', (postgres) => {
  testHosts(async () => {
    const database = await openPostgres(postgres())
    await database.migrate()
    return { inbox: database.inbox(), close: () => database.close() }
  })
})
