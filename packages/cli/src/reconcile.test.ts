import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { execute } from '../test/execute.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
})

const run = {
  ...{ id: 'run-1', since: '2026-11-29T10:00:00.000Z', until: '2026-11-29T12:00:00.000Z', dry_run: false },
  ...{ missed: 3, recovered: 1, ids: ['a', 'b\u001b[31m'] },
}
const github = {
  ...{ name: 'github', mode: 'redelivery', state: 'ok', error: null, recovered: 12, asked: 2, abandoned: 0 },
  ...{ checked_until: '2026-11-29T12:00:00.000Z', last_run: null },
}

/** Starts an API whose list has the given states, one after the other. */
async function start(...states: readonly object[]) {
  const bodies: unknown[] = []
  let reads = 0
  server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'POST') bodies.push([request.url, JSON.parse(await text(request))])
      const source = { ...github, ...states[Math.min(reads, states.length - 1)] }
      if (request.method === 'GET') reads++
      response.setHeader('content-type', 'application/json')
      response.statusCode = request.method === 'POST' ? 202 : 200
      const data = request.method === 'POST' ? { id: 'run-1' } : { reconciliations: [source] }
      response.end(JSON.stringify({ data }))
    })()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { bodies, env: { SALLYPORT_URL: `http://127.0.0.1:${port}`, SALLYPORT_KEY: 'sp_key' } }
}

it('lists sources', async () => {
  const { env } = await start({})
  const { code, stdout } = await execute(['reconcile'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^name +mode +state +recovered +asked +abandoned +checked until +error\n/)
  expect(stdout).toMatch(/github +redelivery +ok +12 +2 +0/)
})

it('requests a run, and waits for its end', async () => {
  const { bodies, env } = await start({ state: 'running' }, { last_run: run })
  const { code, stdout } = await execute(['reconcile', 'github', '--since', '2026-11-29T10:00:00Z'], { env })
  expect(code).toBe(0)
  expect(stdout).toBe(
    '2026-11-29T10:00:00.000Z to 2026-11-29T12:00:00.000Z: missed: 3, recovered: 1, sent again: 2\n  a\n  b [31m\n',
  )
  expect(bodies).toEqual([
    ['/api/v1/reconciliations/github/runs', { since: '2026-11-29T10:00:00.000Z', dry_run: false }],
  ])
})

it('counts in a dry run, in the window since the last run', async () => {
  const { bodies, env } = await start({ last_run: { ...run, dry_run: true, recovered: 0, ids: [] } })
  const { stdout } = await execute(['reconcile', 'github', '--dry-run'], { env })
  expect(stdout).toMatch(/: missed: 3\n$/)
  expect(bodies).toEqual([['/api/v1/reconciliations/github/runs', { dry_run: true }]])
})

it('ends when another request replaced the run', async () => {
  const { env } = await start({ state: 'running' }, { last_run: { ...run, id: 'run-2' } })
  expect(await execute(['reconcile', 'github'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another run took the place of this one') as string,
  })
})

it('fails with the error of the run', async () => {
  const { env } = await start({ state: 'running', error: 'TIMEOUT' }, { state: 'failing', error: 'HTTP_401' })
  expect(await execute(['reconcile', 'github'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The run failed with HTTP_401') as string,
  })
})

it('says that a server without sources may have them turned off', async () => {
  server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"error":{"code":"NOT_FOUND","message":"The path does not exist"}}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const env = { SALLYPORT_URL: `http://127.0.0.1:${port}`, SALLYPORT_KEY: 'sp_key' }
  const { code, stderr } = await execute(['reconcile'], { env })
  expect([code, stderr]).toEqual([1, expect.stringContaining('its settings turn it off')])
})
