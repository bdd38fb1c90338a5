import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, unknownId, type TestApi } from './api.ts'

const program = fileURLToPath(new URL('../../../packages/cli/bin/sallyport.js', import.meta.url))
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())

async function sallyport(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args, '--url', api.base], {
    env: { PATH: process.env['PATH'], SALLYPORT_TOKEN: api.admin.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, ...output }
}

it('the command line shows deliveries and replays them', async () => {
  const delivery = await api.delivery()
  const list = await sallyport('deliveries', '--status', 'published')
  expect(list).toMatchObject({ code: 0, err: '', out: expect.stringContaining(delivery) as string })
  const one = await sallyport('deliveries', delivery)
  expect(one.out).toContain('event published, attempts: 1')
  const { out } = await sallyport('deliveries', delivery, '--json')
  expect(JSON.parse(out)).toMatchObject({ id: delivery, body: { encoding: 'utf-8' } })

  expect((await sallyport('replay', delivery, '--as-new')).out).toMatch(/^replayed\n {2}codehost:replay:/)
  expect((await sallyport('replay', '--status', 'dead')).out).toBe(
    'done: Deliveries: 0; events to publish: 0\n',
  )
  const unknown = await sallyport('replay', unknownId)
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('404 NOT_FOUND') as string })
})
