import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const bin = [fileURLToPath(new URL('../bin/sallyport.js', import.meta.url))]
/** The script that the bin starts in a checkout. Starting it directly saves a process. */
const main = ['--conditions=@sallyport/source', fileURLToPath(new URL('main.ts', import.meta.url))]

let folder: string
let server: Server
let url: string
let received: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-main-'))
  await mkdir(join(folder, 'data'))
  const secrets = { WEBHOOK_SECRET_CODEHOST: 'a secret', WEBHOOK_SECRET_DOORBELL: 'a secret' }
  await writeFile(join(folder, 'data', 'secrets.json'), JSON.stringify(secrets))
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(body)
      response.setHeader('content-type', 'application/json')
      response.end('{"data":{"status":"accepted","events":[]}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

interface Options {
  readonly stdin?: string
  /** Whether the reader of the output ends at once. @default false */
  readonly isClosed?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a process in a folder with the secrets of a development server. */
async function execute(args: readonly string[], { stdin = '', isClosed = false, env }: Options = {}) {
  received = []
  const child = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env['PATH'], ...env } })
  const output = { stdout: '', stderr: '' }
  if (isClosed) child.stdout.destroy()
  else child.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
  child.stdin.on('error', () => undefined).end(stdin)
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, ...output }
}

it('passes standard input, the working folder and the exit code through the bin', async () => {
  const args = ['send', 'codehost', 'package.published', '--url', url, '--payload', '-']
  const sent = await execute([...bin, ...args], { stdin: '{"from":"ü"}' })
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  expect(sent.stdout).toMatch(/signed with data\/secrets\.json\n200 accepted\n$/)
  expect(received).toEqual(['{"type":"package.published","payload":{"from":"ü"}}'])
  const unknown = await execute([...bin, 'send', 'unregistered', 'x'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(/^There is no provider "unregistered"\n/)
})

it('ends after all output is flushed while a provider module keeps the process alive', async () => {
  const provider = `{ name: 'doorbell', signature: { headers: [], verify() {}, sign: () => ({}) }, events: { 'bell.rung': {} }, normalize() {} }`
  await writeFile(
    join(folder, 'holds.mjs'),
    `setInterval(() => undefined, 1000)\nprocess.stdout.write('x'.repeat(200_000) + '\\n')\nexport default ${provider}`,
  )
  const args = ['send', 'doorbell', 'bell.rung', '--url', url, '--payload', '-']
  const env = { PROVIDER_MODULES: './holds.mjs' }
  const { code, stdout } = await execute([...main, ...args], { env, stdin: '{}' })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^x{200000}\nSending doorbell[^]+200 accepted\n$/)
})

it('succeeds if the reader of its output ends early', async () => {
  const args = ['send', 'codehost', 'package.published', '--url', url]
  expect(await execute([...main, ...args], { isClosed: true })).toMatchObject({ code: 0, stderr: '' })
})

it('prints its version', async () => {
  expect(await execute([...main, '--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
})

it('prints the required version on an old Node.js', async () => {
  // The preload changes the version that the process reports.
  const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})`
  expect(await execute(['--import', preload, ...bin, '--version'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'sallyport needs Node.js 22.18 or newer; the current version is 20.19.0.\n',
  })
})
