import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import { adminToken, getSecrets, sendWorkflowRun, temporaryDirectory } from './server-process.ts'

describe('start-up', () => {
  it('generates development secrets once, and lists the services at the root', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATA_DIR: data.path, LOG_LEVEL: 'silent' }
    await (await startInProcess(environment)).stop()
    const generated = await getSecrets(data.path)
    await using server = await startInProcess(environment)
    expect(await getSecrets(data.path)).toEqual(generated)
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
    const problems = await startProblems({ DATA_DIR: data.path, PORT: '0', [name]: value })
    expect(problems.map((line) => line.split(' ')[0])).toEqual([name])
  })

  it('does not start in production without a secret for tokens', async () => {
    await using data = await temporaryDirectory()
    expect(await startProblems({ NODE_ENV: 'production', DATA_DIR: data.path })).toEqual([
      'JWT_SECRET is missing: set it to 32 random bytes or more',
    ])
  })

  it('does not start without a writable data directory, and reports all problems', async () => {
    // In production it once ended with 1, in the words of the system, when the rest had been mended.
    await using data = await temporaryDirectory()
    const file = join(data.path, 'file')
    await writeFile(file, '')
    for (const place of [file, join(file, 'below')]) {
      expect(await startProblems({ NODE_ENV: 'production', DATA_DIR: place })).toEqual([
        `DATA_DIR has to be a directory, but ${file} is a file`,
        'JWT_SECRET is missing: set it to 32 random bytes or more',
      ])
    }
  })

  it('needs no DATA_DIR with an external database and given secrets', async () => {
    await using data = await temporaryDirectory()
    const problems = await startProblems({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      DATA_DIR: join(data.path, 'file', 'below'),
      NODE_ENV: 'production',
      JWT_SECRET: 'x'.repeat(32),
    })
    expect(problems).toEqual([])
  })

  it('leaves out a default provider without a secret in production, with a notice', async () => {
    await using data = await temporaryDirectory()
    await using server = await startInProcess({
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
    await using server = await startInProcess({
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
    const problems = await startProblems({ DATA_DIR: data.path })
    expect(problems).toEqual([expect.stringMatching(/secrets\.json is not JSON/)])
    expect(problems.join()).not.toContain('hunter2')
    expect(await readFile(join(data.path, 'secrets.json'), 'utf8')).toContain('hunter2')
  })

  it('is prevented by MIGRATE=0 for SQLite', async () => {
    expect(await startProblems({ MIGRATE: '0' })).toEqual([
      expect.stringContaining('MIGRATE=0 needs DATABASE_URL'),
    ])
  })
})
