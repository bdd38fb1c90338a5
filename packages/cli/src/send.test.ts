import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unusedPort } from '@sallyport/test-support/services'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { execute } from '../test/execute.ts'

const secret = 'a-secret-that-is-never-shown'

let folder: string
let origin: string
let server: Server
let answer: RequestListener = () => undefined
let received: { url: string; headers: IncomingHttpHeaders; body: string; verified: boolean }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-cli-'))
  server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      const verified = request.headers['x-hub-signature-256'] === signature
      received.push({ url: request.url ?? '', headers: request.headers, body, verified })
      answer(request, response)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** Answers like a gateway: 401 without a valid signature, otherwise the status with one event. */
const gateway =
  (status: string, duplicate = false): RequestListener =>
  (request, response) => {
    const events = [{ id: 'codehost:package.published:24147', name: 'codehost/package.published', duplicate }]
    const refusal = { error: { code: 'INVALID_SIGNATURE', message: 'The signature is invalid' } }
    const verified = received.at(-1)?.verified === true
    json(verified ? 200 : 401, verified ? { data: { status, events } } : refusal)(request, response)
  }

interface Options {
  /** @default the secret of codehost */
  readonly env?: Record<string, string>
  readonly stdin?: string | Uint8Array
  readonly url?: string
}

/** Runs the program without a data folder. */
async function sallyport(args: readonly string[], { env, stdin = '', url }: Options = {}) {
  received = []
  const execution = await execute([...args, ...(url === undefined ? [] : ['--url', url])], {
    env: { DATA_DIR: folder, SALLYPORT_CONFIG_DIR: folder, ...(env ?? { WEBHOOK_SECRET_CODEHOST: secret }) },
    stdin,
  })
  const shown = execution.stdout + execution.stderr
  expect(shown).not.toContain(secret)
  expect(shown).not.toMatch(/\n {4}at /)
  return execution
}

const send = (options: Options & { readonly args?: readonly string[]; readonly kind?: string } = {}) =>
  sallyport(['send', 'codehost', options.kind ?? 'package.published', ...(options.args ?? [])], {
    url: origin,
    ...options,
  })

it('sends a signed sample and prints the outcome', async () => {
  answer = gateway('accepted')
  const { code, stdout, stderr } = await send()
  expect(stdout).toBe(
    [
      `Sending codehost/package.published to ${origin}/webhooks/codehost`,
      "  a sample, 13106 bytes, signed with the environment's WEBHOOK_SECRET_CODEHOST",
      '200 accepted',
      '  codehost/package.published  codehost:package.published:24147  new',
      '',
    ].join('\n'),
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(received).toMatchObject([
    {
      url: '/webhooks/codehost',
      verified: true,
      headers: { 'x-github-event': 'package', 'content-type': 'application/json' },
    },
  ])
})

it('reports a duplicate and sends another event with --fresh', async () => {
  answer = gateway('duplicate', true)
  const { code, stdout } = await send()
  const [first] = received
  expect(code).toBe(0)
  expect(stdout).toContain('200 duplicate\n')
  expect(stdout).toContain('--fresh')
  await send({ args: ['--fresh'] })
  expect(received[0]?.verified).toBe(true)
  expect(received[0]?.body).not.toBe(first?.body)
  expect(received[0]?.headers['x-github-delivery']).not.toBe(first?.headers['x-github-delivery'])
})

it('sends a payload from a file or standard input as the manual body', async () => {
  answer = gateway('accepted')
  const file = join(folder, 'payload.json')
  await writeFile(file, '{ "from": "a file" }')
  expect((await send({ args: ['--payload', file] })).code).toBe(0)
  expect(received).toMatchObject([
    { verified: true, body: '{"type":"package.published","payload":{ "from": "a file" }}' },
  ])

  const { stdout } = await send({
    args: ['--payload', '-', '--fresh'],
    stdin: '{"from":"ü"}',
  })
  expect(stdout).toContain('the payload from standard input')
  const { id, ...rest } = JSON.parse(received[0]!.body) as { id: unknown }
  expect(rest).toEqual({ type: 'package.published', payload: { from: 'ü' } })
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

it('sends numbers of a payload unchanged', async () => {
  // Parsing and serializing would round them or write null.
  answer = gateway('accepted')
  const payload = '{"id":12345678901234567890,"huge":1e400,"exact":1.10}'
  expect((await send({ args: ['--payload', '-'], stdin: `\uFEFF${payload}\n` })).code).toBe(0)
  expect(received).toMatchObject([
    { verified: true, body: `{"type":"package.published","payload":${payload}}` },
  ])
})

it.each([
  ['not JSON', '{"secret'],
  ['not an object', '[]'],
  ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
])('rejects a payload that is %s', async (_, stdin) => {
  const { code, stderr } = await send({ args: ['--payload', '-'], stdin })
  expect(code).toBe(2)
  expect(stderr).toMatch(/^Standard input is not (a )?JSON/)
  expect(received).toEqual([])
})

it('rejects a payload file that does not exist', async () => {
  expect(await send({ args: ['--payload', 'nowhere.json'] })).toMatchObject({
    code: 2,
    stderr: 'nowhere.json cannot be read (ENOENT)\n',
  })
})

it('signs with the secret of the server from SECRETS_DIR or the data folder', async () => {
  answer = gateway('accepted')
  await mkdir(join(folder, 'secrets'))
  await writeFile(join(folder, 'secrets', 'WEBHOOK_SECRET_CODEHOST'), `${secret}\nan older one\n`)
  const readFromFolder = await send({ env: { SECRETS_DIR: join(folder, 'secrets') } })
  expect(readFromFolder.code).toBe(0)
  expect(readFromFolder.stdout).toContain(`signed with ${folder}/secrets/WEBHOOK_SECRET_CODEHOST\n`)

  const secrets = { JWT_SECRET: 'another', WEBHOOK_SECRET_CODEHOST: secret }
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets))
  const fromData = await send({ env: {} })
  expect(fromData.code).toBe(0)
  expect(fromData.stdout).toContain(`signed with ${folder}/secrets.json\n`)
  await rm(join(folder, 'secrets.json'))
})

it('explains a missing secret and a wrong secret', async () => {
  const without = await send({ env: {} })
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('Set WEBHOOK_SECRET_CODEHOST')
  expect(received).toEqual([])

  answer = gateway('accepted')
  const other = await send({ env: { WEBHOOK_SECRET_CODEHOST: `another,${secret}` } })
  expect(other.code).toBe(1)
  expect(other.stderr).toContain('401 INVALID_SIGNATURE')
  expect(other.stderr).toContain('to the same secret')
})

it('fails if the server made no event', async () => {
  for (const status of ['ignored', 'quarantined']) {
    answer = json(200, { data: { status, events: [] } })
    const { code, stdout } = await send()
    expect(code, status).toBe(1)
    expect(stdout).toContain(`200 ${status}\nThe signature is valid, but`)
  }
})

it('does not follow a redirect', async () => {
  answer = json(307, {}, { location: `${origin}/elsewhere` })
  const { code, stderr } = await send()
  expect(code).toBe(1)
  expect(stderr).toContain(`307: the address redirects to ${origin}/elsewhere`)
  expect(received.length).toBe(1)
})

it('explains that no server listens', async () => {
  const port = await unusedPort()
  const env = { WEBHOOK_SECRET_CODEHOST: secret, PORT: String(port) }
  const { code, stderr } = await sallyport(['send', 'codehost', 'package.published'], { env })
  expect(code).toBe(1)
  expect(stderr).toBe(
    `No server listens at http://localhost:${port}\n  Start the server (npm start), or set its address with --url.\n`,
  )
})
