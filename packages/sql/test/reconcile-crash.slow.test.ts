import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { openSqlite } from '../src/sqlite/index.ts'
import { newPath, removeFiles } from './files.ts'

const script = fileURLToPath(new URL('reconcile-process.ts', import.meta.url))
afterAll(removeFiles)

function start(path: string, api: string): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, path, api], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A service with three pages of two events, which kills the process that asks for a page for the first time. */
async function openService(killedAt: string, kill: () => void) {
  let isKilled = false
  const server = createServer(({ url = '' }, response) => {
    const page = url.slice(1)
    if (page !== killedAt || isKilled) return void response.end(JSON.stringify([`${page}-a`, `${page}-b`]))
    isKilled = true
    kill()
    response.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each(['0', '1', '2'])(
  'records every event once after a kill at page %s',
  { timeout: 60_000 },
  async (page) => {
    const children: ChildProcess[] = []
    const api = await openService(page, () => children[0]?.kill('SIGKILL'))
    const path = await newPath()
    const child = start(path, api)
    children.push(child)
    await once(child, 'exit')
    const database = await openSqlite({ path })
    onTestFinished(() => database.close())
    const list = () => database.inbox().list({ limit: 20 })
    expect(await list()).toHaveLength(Number(page) * 2)
    // Another process continues after the lease.
    await sql`update reconciliations set lease_ends_at = 0, due_at = 0`.execute(database.kysely)
    start(path, api)
    const getState = async () => (await database.reconciliations().list())[0]?.state
    await vi.waitFor(
      async () => {
        expect((await getState())?.cursor).toBeDefined()
      },
      { timeout: 30_000 },
    )
    expect(await list()).toHaveLength(6)
  },
)
