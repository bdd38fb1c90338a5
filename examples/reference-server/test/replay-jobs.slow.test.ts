import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, type SqliteDatabase } from '@sallyport/sql/sqlite'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startServerProcess, temporaryDirectory } from './server-process.ts'

const total = 20_000

const admin = { email: 'admin@example.com', password: 'an admin password' }

/** Records published deliveries of one event each. */
async function recordPublished(database: SqliteDatabase): Promise<void> {
  const inbox = database.inbox()
  const receivedAt = Date.now() - 60_000
  for (let start = 0; start < total; start += 500) {
    const recorded = await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const id = randomUUID()
        const source = { provider: 'codehost', deliveryId: id, receivedAt }
        const key = `codehost:${start + index}`
        const event = { id: key, name: 'codehost/push', subject: 's', ts: receivedAt, data: { key }, source }
        const events = [{ event, route: 'direct', notify: false }] as const
        const delivery = {
          id,
          provider: 'codehost',
          receivedAt,
          headers: {},
          body: Buffer.from('{}'),
          events,
        }
        return inbox.record(delivery, { leaseMs: 60_000 })
      }),
    )
    await inbox.settle(
      'publish',
      recorded.flatMap(({ events }) =>
        events.map(({ id, lease = '' }) => ({ id, lease, outcome: { status: 'done' } as const })),
      ),
    )
  }
}

async function call(base: string, method: string, path: string, token?: string, body?: object) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data } = (await response.json()) as { readonly data: Readonly<Record<string, unknown>> }
  return data
}

const logIn = async (base: string) =>
  String((await call(base, 'POST', '/sessions', undefined, admin))['access_token'])

it('ends a job with each delivery replayed once after the server was killed', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'sallyport.db')
  const filling = await openSqlite({ path })
  await recordPublished(filling)
  await filling.close()
  const environment = {
    ...{ DATA_DIR: directory.path, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    METRICS_PORT: '0',
  }
  let id = ''
  {
    await using server = await startServerProcess(environment)
    const token = await logIn(server.base)
    const created = await call(server.base, 'POST', '/replay-jobs', token, {
      provider: 'codehost',
      as_new: true,
    })
    id = String(created['id'])
    expect(created['total']).toBe(total)
    let processed = 0
    while (processed < total / 10) {
      await sleep(5)
      processed = Number((await call(server.base, 'GET', `/replay-jobs/${id}`, token))['processed'])
    }
    await server.end('SIGKILL')
  }
  const database = await openSqlite({ path })
  const interrupted = await database.replayJobs().get(id)
  expect(interrupted?.status).toBe('running')
  expect(interrupted?.processed).toBeLessThan(total)
  await using server = await startServerProcess(environment)
  const token = await logIn(server.base)
  let job: Readonly<Record<string, unknown>> = { status: 'running' }
  while (job['status'] === 'running') {
    await sleep(100)
    job = await call(server.base, 'GET', `/replay-jobs/${id}`, token)
  }
  expect(job).toMatchObject({
    status: 'done',
    processed: total,
    replayed: total,
    events: total,
    unchanged: 0,
  })
  const { rows } = await sql<{ readonly events: number; readonly deliveries: number }>`
    select events, count(*) as deliveries from (select count(*) as events from events group by delivery)
    group by events`.execute(database.kysely)
  expect(rows).toEqual([{ events: 2, deliveries: total }])
  await database.close()
}, 180_000)
