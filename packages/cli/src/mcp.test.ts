import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { github } from '@sallyport/providers/github'
import { unusedPort } from '@sallyport/test-support/services'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { execute } from '../test/execute.ts'
import { startDevelopmentServer, type DevelopmentServer } from './dev/development-server.ts'

let server: DevelopmentServer
let url: string
beforeAll(async () => {
  server = await startDevelopmentServer({
    ...{ providers: [github], secrets: { github: 'secret' }, port: 0, publicUrl: undefined },
    publisher: { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) },
    ...{ observe: () => undefined, onAttempt: () => undefined, onError: () => undefined },
  })
  url = `http://localhost:${server.port}`
})
afterAll(() => server.stop())

const env = { SALLYPORT_KEY: 'key', SALLYPORT_CONFIG_DIR: join(import.meta.dirname, 'no-configuration') }

/** Starts the command as an assistant does. */
async function connect(mode: 'legacy' | 'auto', ...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const main = join(import.meta.dirname, 'main.ts')
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=@sallyport/source', main, 'mcp', '--url', url, ...args],
      env,
    }),
  )
  return client
}

/** Sends lines to the command, and returns what it prints. */
async function send(lines: readonly string[], ...args: readonly string[]) {
  const stdin = lines.map((line) => `${line}\n`).join('')
  const { code, stdout } = await execute(['mcp', ...args], { env, stdin })
  const answers = stdout.split('\n').filter((line) => line !== '')
  return { code, answers: answers.map((line) => JSON.parse(line) as Record<string, unknown>) }
}
const request = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })

it.each(['legacy', 'auto'] as const)('answers a client over standard input and output (%s)', async (mode) => {
  const client = await connect(mode)
  const { tools } = await client.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const { content } = await client.callTool({ name: 'listDeliveries', arguments: { limit: 1 } })
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('"untrusted"') as string }])
  await client.close()
})

it('offers tools that change something on request', async () => {
  const { answers } = await send([request], '--url', url, '--allow-changes')
  expect(JSON.stringify(answers)).toContain('"name":"replayDelivery"')
  const { answers: others } = await send([request], '--url', url)
  expect(JSON.stringify(others)).not.toContain('"name":"replayDelivery"')
})

it('answers requests only, each with its id', async () => {
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const { answers, code } = await send([notification, '', request, 'no JSON'], '--url', url)
  expect(answers).toHaveLength(2)
  expect(answers).toContainEqual(expect.objectContaining({ id: 7 }))
  expect(answers).toContainEqual(expect.objectContaining({ id: null, error: expect.anything() as unknown }))
  expect(code).toBe(0)
})

it('answers with the problem if the server is not reached', async () => {
  const { answers } = await send([request], '--url', `http://localhost:${await unusedPort()}`)
  expect(answers).toMatchObject([
    { id: 7, error: { message: expect.stringContaining('No server listens') as string } },
  ])
})

it('ends with 1 for a message that is too long', async () => {
  const { code, stderr } = await execute(['mcp', '--url', url], { env, stdin: 'x'.repeat(1024 * 1024 + 1) })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'A message of the assistant is too long\n' })
})
