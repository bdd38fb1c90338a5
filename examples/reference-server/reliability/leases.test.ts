import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import type { DeliveryRecord, CompleteInbox } from '@sallyport/webhooks'
import { describe, expect, inject, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { logPostgresLeases, logSqliteLeases, readLeaseLog, type LeaseChange } from './lease-log.ts'

const leaseMs = 300
const ids = Array.from({ length: 500 }, (_, index) => `doorbell:bell.rung:${index}`)

function getDelivery(id: string): DeliveryRecord {
  const deliveryId = randomUUID()
  const source = { provider: 'doorbell', deliveryId, receivedAt: 1000 }
  const event = { id, name: 'doorbell/bell.rung', subject: 'front', ts: 1000, data: {}, source }
  const events = [{ event, route: 'direct', notify: false } as const]
  return {
    id: deliveryId,
    provider: 'doorbell',
    receivedAt: 1000,
    headers: {},
    body: new Uint8Array(),
    events,
  }
}

interface Told {
  readonly tokens: readonly string[]
  readonly done: readonly string[]
}

/** Starts processes that share the work of a database. */
async function share(where: string, processes: number): Promise<Told[]> {
  const script = fileURLToPath(new URL('claiming-process.ts', import.meta.url))
  const children = Array.from({ length: processes }, (_, index) => {
    const seed = String(inject('seed') + index * 10)
    const args = ['--conditions=@sallyport/source', script, where, seed, String(leaseMs)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const ready = once(child.stdout, 'data')
    return { child, ready, output: text(child.stdout), exited: once(child, 'exit') }
  })
  await Promise.all(children.map(({ ready }) => ready))
  for (const { child } of children) child.stdin.end()
  return Promise.all(
    children.map(async ({ output, exited }) => {
      expect(await exited).toEqual([0, null])
      return JSON.parse((await output).replace('ready\n', '')) as Told
    }),
  )
}

/** Follows every event from holder to holder. */
function expectOneHolder(log: readonly LeaseChange[], told: readonly Told[]): void {
  const holders = new Map<number, { readonly token: string; readonly endsAt: number }>()
  let takenOver = 0
  for (const { event, before, after, ends_at } of log) {
    const holder = holders.get(event)
    expect(before).toBe(holder?.token ?? null)
    if (after === null) {
      holders.delete(event)
      continue
    }
    const endsAt = ends_at ?? 0
    if (holder !== undefined) {
      takenOver++
      expect(endsAt - leaseMs, 'claimed before the lease of another had ended').toBeGreaterThanOrEqual(
        holder.endsAt,
      )
    }
    holders.set(event, { token: after, endsAt })
  }
  expect(holders.size).toBe(0)
  // Otherwise no lease has ended under anybody.
  expect(takenOver).toBeGreaterThan(0)
  const claims = new Set(log.flatMap(({ after }) => after ?? []))
  expect(told.flatMap(({ tokens }) => tokens).sort()).toEqual([...claims].sort())
  for (const { tokens } of told) expect(tokens.length).toBeGreaterThan(0)
  expect(told.flatMap(({ done }) => done).sort()).toEqual(ids.toSorted())
}

const recordAll = (inbox: CompleteInbox) => Promise.all(ids.map((id) => inbox.record(getDelivery(id))))

describe('an event', () => {
  it('is held by one of two processes on one SQLite file, until its lease ends', async () => {
    await using data = await temporaryDirectory()
    const path = join(data.path, 'sallyport.db')
    const database = await openSqlite({ path })
    await logSqliteLeases(database.kysely)
    await recordAll(database.inbox())
    const told = await share(path, 2)
    expectOneHolder(await readLeaseLog(database.kysely), told)
    await database.close()
  })

  describeWith('postgres', (postgres) => {
    it('is held by one of three processes on one database, until its lease ends', async () => {
      const database = await openPostgres(postgres())
      await database.migrate()
      await logPostgresLeases(database.kysely)
      await recordAll(database.inbox())
      const told = await share(postgres().url, 3)
      expectOneHolder(await readLeaseLog(database.kysely), told)
      await database.close()
    })
  })
})
