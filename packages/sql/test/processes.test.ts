import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await removeFiles()
})

function start(file: string, ...args: string[]) {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return { child, output: text(child.stdout), exited: once(child, 'exit') }
}

const heldBy = (output: string) => JSON.parse(output.replace('ready\n', '')) as string[]

describe('a process that is killed', () => {
  it('loses nothing that it acknowledged, and keeps nothing for itself', async () => {
    const path = await newPath()
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round++) {
      const { child, output, exited } = start('recording-process.ts', path, `doorbell:${round}`)
      await once(child.stdout, 'data')
      await sleep(20 + Math.floor(performance.now() % 120))
      child.kill('SIGKILL')
      expect(await exited).toEqual([null, 'SIGKILL'])
      acknowledged.push(...(await output).split('\n').slice(0, -1))
    }
    expect(acknowledged.length).toBeGreaterThan(40)

    await sleep(5)
    const database = await openSqlite({ path })
    const inbox = database.inbox()
    const claimed = (await inbox.claim('publish', { limit: 1_000_000, leaseMs: 60_000 })).map(
      ({ event }) => event.id,
    )
    const found = new Set(claimed)
    expect(found.size).toBe(claimed.length)
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    const redelivered = await Promise.all(acknowledged.slice(-100).map((id) => inbox.record(getDelivery(id))))
    expect(redelivered.every(({ events }) => events[0]?.duplicate === true)).toBe(true)
    const whole = await database.kysely
      .selectFrom('events')
      .innerJoin('delivery_bodies', 'delivery_bodies.delivery', 'events.delivery')
      .where('events.notification', '=', 'waiting')
      .select((builder) => builder.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(whole.count).toBe(claimed.length)
    await database.close()
  })
})

describe('two processes on one file', () => {
  it('share the work: each event is held by one of them, and published once', async () => {
    const path = await newPath()
    const database = await openSqlite({ path })
    const inbox = database.inbox()
    const ids = Array.from({ length: 300 }, (_, index) => `doorbell:${index}`)
    await Promise.all(ids.map((id) => inbox.record(getDelivery(id))))
    const processes = [1, 2].map(() => start('claiming-process.ts', path))
    await Promise.all(processes.map(({ child }) => once(child.stdout, 'data')))
    for (const { child } of processes) child.stdin.end()
    const held = await Promise.all(processes.map(async ({ output }) => heldBy(await output)))
    expect(held.flat().sort()).toEqual(ids.toSorted())
    expect(held.every(({ length }) => length >= 10)).toBe(true)
    const published = await inbox.published({ limit: 1000 })
    expect(published.map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1))
    await database.close()
  })

  it('handle the events of each lane in the order of their commits', async () => {
    const path = await newPath()
    const database = await openSqlite({ path })
    const inbox = database.inbox()
    const processes = [1, 2].map(() => start('lane-process.ts', path))
    await Promise.all(processes.map(({ child }) => once(child.stdout, 'data')))
    const lanes = Array.from({ length: 7 }, (_, lane) =>
      Array.from({ length: 30 }, (_, index) => `doorbell:${lane}:${index}`),
    )
    await Promise.all(
      lanes.map(async (ids, index) => {
        const lane = { name: `house:${index}`, isOrdered: true }
        for (const id of ids) {
          const { events, ...delivery } = getDelivery(id)
          await inbox.record({ ...delivery, events: events.map((event) => ({ ...event, lane })) })
        }
      }),
    )
    for (const { child } of processes) child.stdin.end()
    const handled = await Promise.all(processes.map(async ({ output }) => heldBy(await output)))
    expect(handled.flat().sort()).toEqual(lanes.flat().sort())
    expect(handled.every(({ length }) => length > 0)).toBe(true)
    const published = (await inbox.published({ limit: 1000 })).map(({ event }) => event.id)
    for (const [index, ids] of lanes.entries())
      expect(published.filter((id) => id.startsWith(`doorbell:${index}:`))).toEqual(ids)
    const { rows } = await sql<{ lanes: number }>`select count(*) as lanes from lanes`.execute(
      database.kysely,
    )
    expect(rows).toEqual([{ lanes: 0 }])
    await database.close()
  })

  it('migrate a new file at the same moment', async () => {
    const path = await newPath()
    const processes = [1, 2, 3].map(() => start('claiming-process.ts', path))
    for (const { child } of processes) child.stdin.end()
    const held = await Promise.all(processes.map(async ({ output }) => heldBy(await output)))
    expect(held).toEqual([[], [], []])
  })
})

// It ended in the middle, with code 13: once the answer had come, nothing kept it alive that waited for the thread's end.
it('closes a database in order while something is asked', async () => {
  const path = await newPath()
  await (await openSqlite({ path })).close()
  const { output, exited } = start('closing-process.ts', path)
  expect(await exited).toEqual([0, null])
  expect(await output).toBe('closed\n')
})
