import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openSqlite } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'

const script = fileURLToPath(new URL('subscription-process.ts', import.meta.url))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(removeFiles)

/** A service that kills the process that sends a request, before or after the request has its effect. */
async function openService(kill: { method: string; isDone: boolean }) {
  const stored: { id: string }[] = []
  let isKilled = false
  let serial = 0
  const apply = (method: string, id: string) => {
    if (method === 'POST') stored.push({ id: `s${++serial}` })
    if (method === 'DELETE')
      stored.splice(
        stored.findIndex((one) => one.id === id),
        1,
      )
    return method === 'POST' ? stored.at(-1) : stored
  }
  const server = createServer(({ method = '', url = '' }, response) => {
    const isLast = !isKilled && method === kill.method
    if (isLast && !kill.isDone) isKilled = true
    else {
      const body = JSON.stringify(apply(method, url.slice(1)))
      if (!isLast) return void response.end(body)
      isKilled = true
    }
    for (const child of children) child.kill('SIGKILL')
    response.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { stored, api: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function start(path: string, api: string): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, path, api], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

it.each([
  { method: 'GET', isDone: false },
  { method: 'POST', isDone: false },
  { method: 'POST', isDone: true },
])('has one subscription after a kill at $method, isDone: $isDone', { timeout: 60_000 }, async (kill) => {
  const service = await openService(kill)
  const path = await newPath()
  await once(start(path, service.api), 'exit')
  children.splice(0)
  const database = await openSqlite({ path })
  try {
    expect((await database.subscriptions().get('front'))?.progress.registration).toBeUndefined()
    // Another process continues after the lease.
    await sql`update subscriptions set lease_ends_at = 0`.execute(database.kysely)
    start(path, service.api)
    await vi.waitFor(
      async () => {
        const { progress } = (await database.subscriptions().get('front')) ?? {}
        expect(service.stored).toMatchObject([{ id: progress?.registration?.id ?? 'none' }])
        expect(progress?.failures).toBe(0)
      },
      { timeout: 40_000, interval: 50 },
    )
  } finally {
    await database.close()
    service.close()
  }
})
