import { openSqlite } from '@sallyport/sql/sqlite'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from '../test/server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })
const pilot = { QUEUE_PILOTS: 'codehost' }

describe('the queue of a pilot', () => {
  it('publishes once what a killed server had published and not acknowledged, pilot or not', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATA_DIR: data.path, LOG_LEVEL: 'silent' }
    const first = await startServerProcess(environment)
    const secrets = await getSecrets(data.path)
    await first.end('SIGKILL')

    // The state after a process dies between the publication and the removal from the queue.
    const database = await openSqlite({ path: join(data.path, 'sallyport.db') })
    const [inbox, queue, bus] = [database.inbox(), database.queue(), database.bus()]
    const { signal } = new AbortController()
    const source = { provider: 'codehost', deliveryId: '0190a5d0-ac96-774b-bcce-b302099a8057', receivedAt: 0 }
    const events = ['published', 'enqueued'].map((id) => ({
      ...{ id: `codehost:workflow_run.completed:${id}`, name: 'codehost/workflow_run.completed' },
      ...{ subject: 'octo-org/octo-repo', ts: 0, data: { run_id: id }, source },
    }))
    await inbox.record({
      ...{ id: source.deliveryId, provider: 'codehost', receivedAt: 0, headers: {}, body: new Uint8Array() },
      events: events.map((event) => ({ event, route: 'queue', notify: false })),
    })
    const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 60_000 })
    await queue.publish(
      claimed.map(({ event, since }) => ({ ...event, id: `${since}@${event.id}` })),
      signal,
    )
    const outcome = { status: 'queued', redeliverAfterMs: 600_000 } as const
    await inbox.settle(
      'publish',
      claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
    )
    await bus.publish(events.slice(0, 1), signal)
    await database.close()

    await using server = await startServerProcess(environment)
    const token = await adminToken(server.base, secrets)
    await expect
      .poll(async () => (await publishedEvents(server.base, token)).map(({ id }) => id).sort(), {
        timeout: 60_000,
      })
      .toEqual(events.map(({ id }) => id).sort())
    await server.end('SIGTERM')
    const after = await openSqlite({ path: join(data.path, 'sallyport.db') })
    const onBus = (await after.bus().read({ limit: 10 })).map(({ event }) => event.id)
    expect(onBus.sort()).toEqual(events.map(({ id }) => id).sort())
    expect(await after.kysely.selectFrom('queued_events').select('id').execute()).toEqual([])
    await after.close()
  })

  it('loses nothing that it answered 200 for when it is killed, and publishes it once', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATA_DIR: data.path, LOG_LEVEL: 'silent', ...pilot }
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      await using server = await startServerProcess(environment)
      const secret = (await getSecrets(data.path))['WEBHOOK_SECRET_CODEHOST']!
      const sending = Array.from({ length: 20 }, async (_, index) => {
        const { status, data: answer } = await sendWorkflowRun(server.base, secret, run(round * 100 + index))
        if (status === 200) acknowledged.push(answer.events[0]!.id)
        // The first acknowledgement kills the server while the others are still under way.
        if (index === round) server.child.kill('SIGKILL')
      })
      await Promise.allSettled(sending)
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(3)

    await using server = await startServerProcess(environment)
    const token = await adminToken(server.base, await getSecrets(data.path))
    await expect
      .poll(
        async () => {
          const published = await publishedEvents(server.base, token)
          const ids = published.map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          expect(published.every(({ route }) => route === 'queue')).toBe(true)
          return acknowledged.filter((id) => !ids.includes(id))
        },
        { timeout: 60_000, interval: 500 },
      )
      .toEqual([])
  })
})
