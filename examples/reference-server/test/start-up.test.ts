import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  adminToken,
  runServerToItsEnd,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

describe('start-up', () => {
  it('writes one JSON line with all addresses at every log level', async () => {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
    expect(JSON.parse(server.output())).toMatchObject({
      level: 30,
      msg: expect.stringMatching(/^Sallyport listens on http:\/\/localhost:\d+$/) as string,
      role: 'all',
      webhooks: expect.stringMatching(/^POST http:\/\/localhost:\d+\/webhooks\/:provider/) as string,
      data: data.path,
      secrets: expect.stringContaining(join(data.path, 'secrets.json')) as string,
    })
    const root = (await (await fetch(server.base)).json()) as object
    expect(root).toMatchObject({
      service: 'sallyport',
      webhooks: { endpoint: '/webhooks/:provider', providers: ['tasks', 'messaging', 'deploy', 'codehost'] },
      documents: {
        openapi: '/api/openapi.json',
        asyncapi: '/api/asyncapi.json',
        docs: '/api/docs',
        redoc: '/api/redoc',
      },
    })
  })

  it('generates development secrets once', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATA_DIR: data.path, LOG_LEVEL: 'silent' }
    await (await startServerProcess(environment)).end('SIGTERM')
    const generated = await getSecrets(data.path)
    await (await startServerProcess(environment)).end('SIGTERM')
    expect(await getSecrets(data.path)).toEqual(generated)
  })

  it('reports all problems of the configuration and exits with 78', async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const { code, output, errors } = await runServerToItsEnd({
      NODE_ENV: 'production',
      DATA_DIR: data,
      PORT: 'http',
      WEBHOOK_BODY_LIMIT: '1 GiB',
      SHUTDOWN_SECONDS: '0',
      TRUST_PROXY: 'everybody',
      JWT_SECRET: 'short',
      PROVIDERS: 'codehost,codehots',
      ADMIN_EMAIL: 'admin@example.com',
    })
    expect(code).toBe(78)
    const named = errors
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(named.sort()).toEqual([
      'ADMIN_EMAIL',
      'JWT_SECRET',
      'PORT',
      'PROVIDERS',
      'SHUTDOWN_SECONDS',
      'TRUST_PROXY',
      'WEBHOOK_BODY_LIMIT',
      'WEBHOOK_SECRET_CODEHOST',
    ])
    expect(errors).not.toContain('short"')
    expect(output).toBe('')
    expect(await readdir(directory.path)).toEqual([])
  })

  it.each([
    ['WEBHOOK_BODY_LIMIT', '0'],
    ['WEBHOOK_BODY_LIMIT', '65mb'],
    ['PUBLIC_URL', 'https://hooks.example.com/?a=b'],
    ['PUBLIC_URL', 'https://hooks.example.com#a'],
    ['PUBLIC_URL', 'https://user@hooks.example.com'],
    ['PUBLIC_URL', 'https://hooks.example.com/x y'],
    ['PUBLIC_URL', 'https:///x'],
    ['JSON_BODY_LIMIT', '0'],
    ['BODY_MAX_BYTES', '99999999gb'],
  ])('does not start with what nothing could work with: %s=%s', async (name, value) => {
    await using data = await temporaryDirectory()
    const { code, errors } = await runServerToItsEnd({ DATA_DIR: data.path, PORT: '0', [name]: value })
    expect([code, errors.split(' ')[0], errors.trim().split('\n').length]).toEqual([78, name, 1])
  })

  it('does not start in production without a secret for tokens', async () => {
    await using data = await temporaryDirectory()
    const { code, errors } = await runServerToItsEnd({ NODE_ENV: 'production', DATA_DIR: data.path })
    expect([code, errors.trim().split('\n')]).toEqual([
      78,
      ['JWT_SECRET is missing: set it to 32 random bytes or more'],
    ])
  })

  it('does not start without a writable data directory, and reports all problems', async () => {
    // In production it once ended with 1, in the words of the system, when the rest had been mended.
    await using data = await temporaryDirectory()
    const file = join(data.path, 'file')
    await writeFile(file, '')
    for (const place of [file, join(file, 'below')]) {
      const { code, errors } = await runServerToItsEnd({ NODE_ENV: 'production', DATA_DIR: place })
      expect(code).toBe(78)
      expect(errors.trim().split('\n')).toEqual([
        `DATA_DIR has to be a directory, but ${file} is a file`,
        'JWT_SECRET is missing: set it to 32 random bytes or more',
      ])
    }
  })

  it('needs no DATA_DIR with an external database and given secrets', async () => {
    await using data = await temporaryDirectory()
    const { errors } = await runServerToItsEnd({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      DATA_DIR: join(data.path, 'file', 'below'),
      NODE_ENV: 'production',
      JWT_SECRET: 'x'.repeat(32),
    })
    expect(errors).not.toContain('DATA_DIR')
  })

  it('leaves out a default provider without a secret in production, with a notice', async () => {
    await using data = await temporaryDirectory()
    await using server = await startServerProcess({
      NODE_ENV: 'production',
      DATA_DIR: data.path,
      JWT_SECRET: 'x'.repeat(32),
    })
    expect(server.output()).toMatch(/"left_out":"tasks, messaging, deploy, codehost:/)
    expect((await fetch(`${server.base}/webhooks/codehost`, { method: 'POST' })).status).toBe(404)
  })

  it('reads secrets from a folder', async () => {
    await using directory = await temporaryDirectory()
    const secrets = join(directory.path, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'JWT_SECRET'), `${'x'.repeat(32)}\n`)
    await writeFile(join(secrets, 'WEBHOOK_SECRET_CODEHOST'), 'one,with a comma\nanother\n')
    const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: ' a password, with a comma ' }
    for (const [name, value] of Object.entries(admin)) await writeFile(join(secrets, name), `${value}\n`)
    await using server = await startServerProcess({
      NODE_ENV: 'production',
      DATA_DIR: join(directory.path, 'data'),
      SECRETS_DIR: secrets,
    })
    expect(await (await fetch(server.base)).json()).toMatchObject({ webhooks: { providers: ['codehost'] } })
    expect(await adminToken(server.base, admin)).not.toBe('')

    const send = async (secret: string) => (await sendWorkflowRun(server.base, secret, {})).status
    expect([await send('one,with a comma'), await send('another')]).toEqual([200, 200])
    // A secret that leaked is taken back without a restart.
    await writeFile(join(secrets, 'WEBHOOK_SECRET_CODEHOST'), 'a new one\n')
    await expect.poll(() => send('a new one'), { interval: 500 }).toBe(200)
    expect(await send('another')).toBe(401)
  })

  it('does not overwrite or quote an unreadable file of secrets', async () => {
    await using data = await temporaryDirectory()
    await writeFile(join(data.path, 'secrets.json'), '{"JWT_SECRET": hunter2')
    const { code, errors } = await runServerToItsEnd({ DATA_DIR: data.path })
    expect(code).toBe(78)
    expect(errors).toMatch(/secrets\.json is not JSON/)
    expect(errors).not.toContain('hunter2')
  })

  it('ends on SIGTERM during the start', async () => {
    // It handled no signal by then, and the kernel ends the first process of a container by none that is not handled.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { code, output } = await runServerToItsEnd(
      {
        NODE_ENV: 'production',
        JWT_SECRET: 'x'.repeat(32),
        DATABASE_URL: `postgres://u@127.0.0.1:${port}/d`,
      },
      (child) => silent.once('connection', () => child.kill('SIGTERM')),
    )
    silent.close()
    expect(code).toBe(0)
    expect(output).not.toContain('listens on')
  })

  it('reports a taken port in one line', async () => {
    await using data = await temporaryDirectory()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, errors } = await runServerToItsEnd({
      DATA_DIR: data.path,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'silent',
    })
    other.close()
    expect(code).toBe(1)
    expect(errors).toMatch(/^The server cannot start: .*EADDRINUSE.*\n$/)
  })
})
