import { describeWith } from '@sallyport/test-support/services'
import type { CompleteInbox } from '@sallyport/webhooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../src/postgres/index.ts'
import { openSqlite } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'

const script = fileURLToPath(new URL('rollout-process.ts', import.meta.url))

/** Starts a process of a version under load. */
function start(place: string, version: 'old' | 'next', prefix: string) {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, place, version, prefix], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(child, 'exit')
  const recorded = () => output.split('\n').slice(1, -1)
  return {
    recorded,
    /** Waits until the process has recorded more events. */
    async works(): Promise<void> {
      const before = recorded().length
      await expect.poll(() => recorded().length).toBeGreaterThan(before + 20)
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exited
    },
    async end(): Promise<unknown> {
      child.stdin.end()
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** Replaces one of two old processes, and kills and restarts the other one meanwhile. */
async function rollOut(place: string): Promise<readonly string[]> {
  const staying = start(place, 'old', 'staying')
  const replaced = start(place, 'old', 'replaced')
  await staying.works()
  await replaced.works()
  const next = start(place, 'next', 'next')
  await next.works()
  await staying.works()
  await Promise.all([staying.kill(), replaced.kill()])
  const restarted = start(place, 'old', 'restarted')
  await restarted.works()
  await next.works()
  expect([await restarted.end(), await next.end()]).toEqual([0, 0])
  return [staying, replaced, next, restarted].flatMap((one) => one.recorded())
}

/** Publishes the rest, and returns the ids of all published events. */
async function publishRest(inbox: CompleteInbox): Promise<readonly string[]> {
  const isOpen = async () => (await inbox.stats()).events.pending > 0
  while (await isOpen()) {
    const works = await inbox.claim('publish', { limit: 1000, leaseMs: 60_000 })
    const done = { status: 'done' } as const
    await inbox.settle(
      'publish',
      works.map(({ event, lease }) => ({ id: event.id, lease, outcome: done })),
    )
  }
  return (await inbox.published({ limit: 100_000 })).map(({ event }) => event.id)
}

describe('a process that restarts in the middle of a rollout works on a database that it understands', () => {
  afterAll(removeFiles)

  async function check(place: string, inbox: () => CompleteInbox): Promise<void> {
    const recorded = await rollOut(place)
    const published = await publishRest(inbox())
    expect(new Set(published).size).toBe(published.length)
    expect(recorded.filter((id) => !published.includes(id))).toEqual([])
  }

  it('with SQLite', async () => {
    const path = await newPath()
    const database = await openSqlite({ path })
    await check(path, () => database.inbox())
    await database.close()
  })

  describeWith('postgres', (postgres) => {
    it('with PostgreSQL', async () => {
      const { url } = postgres()
      const database = await openPostgres({ url, migrate: true })
      await check(url, () => database.inbox())
      await database.close()
    })
  })
})
