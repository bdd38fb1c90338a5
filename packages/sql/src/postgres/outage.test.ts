import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createProxy } from '../../test/proxy.ts'
import { openProcesses } from '../../test/postgres-inbox.ts'
import { getDelivery } from '../../test/records.ts'
import { openPostgres, type InboxTables } from './index.ts'

const unavailable = { code: 'INBOX_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }
const application = 'cut-off'

describeWith('postgres', (postgres) => {
  const database = openProcesses(1, postgres)
  const cutOff = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${application} and datname = current_database()`.execute(database().kysely)

  it('loses no acknowledged delivery when connections are cut', async () => {
    const own = await openPostgres({ ...postgres(), applicationName: application })
    const inbox = own.inbox()
    const acknowledged: string[] = []
    const failures: unknown[] = []
    let next = 0
    let stopped = false
    const record = async () => {
      while (!stopped) {
        const id = `outage:${next++}`
        try {
          await inbox.record(getDelivery(id))
          acknowledged.push(id)
        } catch (error) {
          failures.push(error)
        }
      }
    }
    const recording = Promise.all(Array.from({ length: 16 }, record))
    // Not every cut interrupts a record.
    while (failures.length < 5 || acknowledged.length < 40) {
      await sleep(40)
      await cutOff()
    }
    await expect.poll(() => inbox.record(getDelivery(`outage:recovered:${next++}`))).toBeDefined()
    stopped = true
    await recording
    for (const error of failures) expect(error).toMatchObject(unavailable)

    const whole = await database()
      .kysely.$extendTables<InboxTables>()
      .selectFrom('events')
      .innerJoin('delivery_bodies', 'delivery_bodies.delivery', 'events.delivery')
      .innerJoin('idempotency_keys', 'idempotency_keys.event', 'events.sequence')
      .where('events.notification', '=', 'waiting')
      .select('events.id')
      .execute()
    const found = new Set(whole.map(({ id }) => id))
    expect(found.size).toBe(whole.length)
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    await own.close()
  })

  it('rejects everything while the database does not answer, and works when it does again', async () => {
    const proxy = await createProxy(postgres().url)
    const own = await openPostgres({ url: proxy.url, statementTimeoutMs: 200, connectTimeoutMs: 200 })
    const inbox = own.inbox()
    const { events } = await inbox.record(getDelivery('silent:held'), { leaseMs: 60_000 })
    const settlement = { id: 'silent:held', lease: events[0]!.lease!, outcome: { status: 'done' } } as const
    proxy.freeze()
    const attempts = [
      inbox.record(getDelivery('silent:a')),
      inbox.claim('publish', { limit: 1, leaseMs: 1000 }),
      inbox.settle('publish', [settlement]),
      inbox.ping(),
      own.bus().publish([getDelivery('silent:a').events[0]!.event], new AbortController().signal),
    ]
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ reason: unavailable })
    proxy.thaw()
    await inbox.ping()
    await inbox.record(getDelivery('silent:a'))
    expect(await inbox.settle('publish', [settlement])).toEqual([true])
    await own.close()
    await proxy.close()
  })
})
