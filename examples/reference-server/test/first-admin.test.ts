import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeWith } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'
import { startInProcess } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

describe('the first admin', () => {
  it('is created once and keeps later changes despite the configuration', async () => {
    await using data = await temporaryDirectory()
    const environment = {
      DATA_DIR: data.path,
      ADMIN_EMAIL: 'Root@example.com',
      ADMIN_PASSWORD: 'first password',
    }
    {
      await using api = await startApi(environment)
      const { data } = await api.call('GET', `/users/${api.admin.id}`, { token: api.admin.token })
      expect(data).toMatchObject({ email: 'root@example.com', role: 'admin', status: 'active' })
      const json = { password: 'second password' }
      await api.call('PATCH', `/users/${api.admin.id}`, { json, token: api.admin.token })
    }
    await using api = await startApi(environment, { email: 'root@example.com', password: 'second password' })
    const { meta } = await api.call('GET', '/users', { token: api.admin.token })
    expect(meta['total']).toBe(1)
    const old = { email: 'root@example.com', password: 'first password' }
    expect((await api.call('POST', '/sessions', { json: old })).status).toBe(401)
  })

  it('and its sessions persist over a restart', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATA_DIR: data.path }
    let token: string
    {
      await using api = await startApi(environment)
      token = api.admin.token
    }
    await using api = await startApi(environment)
    expect((await api.call('GET', '/sessions', { token })).meta['total']).toBe(2)
  })

  it('may be demoted: the server starts and shows a notice', async () => {
    // It once kept every process from starting, those that take webhooks too.
    await using data = await temporaryDirectory()
    const password = 'of some length'
    const environment = { DATA_DIR: data.path, ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: password }
    const other = { name: 'Other', email: 'other@example.com', password }
    {
      await using api = await startApi(environment)
      const { token } = api.admin
      const { data: user } = await api.call('POST', '/users', { json: other })
      await api.call('PATCH', `/users/${user.id}`, { json: { role: 'admin' }, token })
      const demoted = await api.call('PATCH', `/users/${api.admin.id}`, { json: { role: 'user' }, token })
      expect(demoted.status).toBe(200)
    }
    await using api = await startApi(environment, other)
    expect(await readiness(api.base, api.admin.token)).toMatchObject({
      notices: [
        expect.stringContaining('ADMIN_EMAIL is the address of a user without the role admin') as string,
      ],
    })
  })

  it('is validated like a registration', async () => {
    await expect(startApi({ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'short' })).rejects.toThrow(
      'ADMIN_PASSWORD',
    )
  })
})

describeWith('postgres', (postgres) => {
  // The new secrets.json held a password that could not match.
  it('gets no generated password from a new data directory on a database with an admin', async () => {
    await using first = await temporaryDirectory()
    await using second = await temporaryDirectory()
    const environment = { DATABASE_URL: postgres().url, WEBHOOK_SECRET_CODEHOST: 's', LOG_LEVEL: 'info' }
    const secretsIn = async (path: string) =>
      JSON.parse(await readFile(join(path, 'secrets.json'), 'utf8')) as Record<string, string>
    {
      await using server = await startInProcess({ ...environment, DATA_DIR: first.path })
      expect(server.output()).not.toContain('no ADMIN_PASSWORD was generated')
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = await secretsIn(first.path)
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ email, password })
      const login = await fetch(`${server.base}/api/v1/sessions`, { method: 'POST', headers, body })
      expect(login.status).toBe(201)
    }
    {
      await using server = await startInProcess({ ...environment, DATA_DIR: second.path })
      expect(server.output()).toContain('no ADMIN_PASSWORD was generated')
      expect(Object.keys(await secretsIn(second.path))).not.toContain('ADMIN_PASSWORD')
    }
    const given = { PROVIDERS: 'codehost', JWT_SECRET: 'x'.repeat(32) }
    await using third = await temporaryDirectory()
    await using server = await startInProcess({ ...environment, ...given, DATA_DIR: third.path })
    expect(server.output()).toContain('Sallyport listens')
    expect(Object.keys(await secretsIn(third.path))).toEqual(['ENCRYPTION_KEYS'])
  }, 60_000)
})

describeWith('postgres', (postgres) => {
  it('has one generated password when two processes start at the same time', async () => {
    await using one = await temporaryDirectory()
    await using two = await temporaryDirectory()
    const directories = [one, two]
    const servers = await Promise.all(
      directories.map(({ path }) => startInProcess({ DATABASE_URL: postgres().url, DATA_DIR: path })),
    )
    for (const server of servers) await server[Symbol.asyncDispose]()
    const kept = await Promise.all(
      directories.map(({ path }) => readFile(join(path, 'secrets.json'), 'utf8')),
    )
    expect(kept.filter((text) => text.includes('ADMIN_PASSWORD'))).toHaveLength(1)
  }, 60_000)
})
