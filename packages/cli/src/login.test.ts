import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execute, start } from '../test/execute.ts'
import { startReferenceServer, type ReferenceServer } from '../test/reference-server.ts'

const email = 'admin@example.com'
const password = 'a password that is never shown'

let folder: string
let server: ReferenceServer
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-login-'))
  env = { SALLYPORT_CONFIG_DIR: join(folder, 'configuration') }
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
  })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const file = () => join(folder, 'configuration', 'credentials.json')
interface Stored {
  readonly servers: Readonly<Record<string, { kind: string; access_token: string; expires_at: number }>>
}
const readStored = async () => JSON.parse(await readFile(file(), 'utf8')) as Stored

describe('login', () => {
  it('asks in a terminal and does not show the password', async () => {
    const terminal = start(['login', '--url', server.url], { env, columns: 80 })
    await terminal.waitFor('E-mail: ')
    terminal.write(`${email}\r`)
    await terminal.waitFor('Password: ')
    terminal.write(`${password}\r`)
    expect(await terminal.ended).toMatchObject({ code: 0 })
    expect(terminal.shown()).toContain(email)
    expect(terminal.shown()).toContain(`Logged in to ${server.url} as ${email}`)
    expect(terminal.shown()).not.toContain(password)
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(await readFile(file(), 'utf8')).not.toContain(password)
  })

  it('lets other commands use the server and the session', async () => {
    expect(await execute(['deliveries'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 of 0') as string,
    })
  })

  it('uses the admin that a development server generated', async () => {
    const secrets = { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }
    await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets))
    const login = ['login', '--development', '--url', server.url]
    expect(await execute(login, { env: { ...env, DATA_DIR: folder } })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`as ${email}`) as string,
    })
    expect(await execute(login, { env: { ...env, DATA_DIR: join(folder, 'none') } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no ADMIN_EMAIL') as string,
    })
  })

  it('prints the token for other programs', async () => {
    const { code, stdout } = await execute(['token'], { env })
    expect(code).toBe(0)
    const response = await fetch(`${server.url}/api/v1/operator`, {
      headers: { authorization: `Bearer ${stdout.trim()}` },
    })
    expect(response.status).toBe(200)
  })

  it('renews an expired session', async () => {
    const stored = await readStored()
    const expired = Object.entries(stored.servers).map(([name, session]) => [
      name,
      { ...session, expires_at: 0 },
    ])
    await writeFile(file(), JSON.stringify({ ...stored, servers: Object.fromEntries(expired) as object }))
    expect(await execute(['deliveries'], { env })).toMatchObject({ code: 0 })
    const renewed = await readStored()
    expect(renewed.servers[server.url]?.expires_at).toBeGreaterThan(Date.now())
    expect(renewed.servers[server.url]?.access_token).not.toBe(stored.servers[server.url]?.access_token)
  })

  it('ends the session at the logout', async () => {
    const token = (await readStored()).servers[server.url]?.access_token ?? ''
    expect(await execute(['logout'], { env })).toMatchObject({
      code: 0,
      stdout: `Logged out of ${server.url}\n`,
    })
    expect(await readStored()).toEqual({ servers: {} })
    const left = await execute(['deliveries', '--url', server.url], { env: { ...env, SALLYPORT_KEY: token } })
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('401 INVALID_TOKEN') as string })
    expect((await execute(['deliveries', '--url', server.url], { env })).stderr).toContain(
      `There is no login for ${server.url}\n  Log in: sallyport login --url ${server.url}`,
    )
  })

  it('reads the answers from standard input', async () => {
    const login = ['login', '--url', server.url, '--email', email]
    expect(await execute(login, { env, stdin: `${password}\n` })).toMatchObject({ code: 0 })
    const wrong = await execute(login, { env, stdin: 'another password\n' })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_CREDENTIALS') as string })
    expect(await execute(login, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The input ended') as string,
    })
  })

  it('stores a token as a key', async () => {
    const token = (await readStored()).servers[server.url]?.access_token ?? ''
    const login = await execute(['login', '--url', server.url, '--key'], { env, stdin: `${token}\n` })
    expect(login).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Logged in to ${server.url} as `) as string,
    })
    expect(login.stdout).not.toContain(token)
    expect((await readStored()).servers[server.url]).toEqual({ kind: 'key', key: token })
    expect((await execute(['login', '--key'], { env, stdin: 'wrong key\n' })).code).toBe(2)
  })
})
