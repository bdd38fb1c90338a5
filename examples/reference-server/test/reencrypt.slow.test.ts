import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import {
  adminToken,
  runServerToItsEnd,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

it('endpoints survive the end of the process, and are encrypted again by a command', async () => {
  await using data = await temporaryDirectory()
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const environment = (keys: string) => ({
    DATA_DIR: data.path,
    ENCRYPTION_KEYS: keys,
    JWT_SECRET: 'x'.repeat(32),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a password of the admin',
    WEBHOOK_SECRET_CODEHOST: 'a secret',
  })
  const credentials = { email: 'admin@example.com', password: 'a password of the admin' }
  const json = { id: 'acme', provider: 'codehost', name: 'Acme', secret: 'a secret of acme' }
  {
    await using server = await startServerProcess(environment(key(1)))
    const token = await adminToken(server.base, environment(''))
    const created = await fetch(`${server.base}/api/v1/endpoints`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(json),
    })
    expect(created.status).toBe(201)
    expect(server.output()).not.toContain(json.secret)
    await server.end('SIGKILL')
  }
  const reencrypt = await runServerToItsEnd(environment(`${key(2)},${key(1)}`), undefined, ['reencrypt'])
  expect(reencrypt).toMatchObject({ code: 0, errors: '' })
  expect(reencrypt.output).toContain('Endpoints with newly encrypted secrets: 1')
  const wrong = await runServerToItsEnd(environment(key(3)), undefined, ['reencrypt'])
  expect(wrong).toMatchObject({
    code: 1,
    errors: expect.stringContaining('unreadable secret: acme') as string,
  })
  {
    await using server = await startServerProcess(environment(key(3)))
    await expect.poll(() => server.output()).toContain('have no key: add it to ENCRYPTION_KEYS')
  }

  await using api = await startApi(environment(key(2)), credentials)
  const payload = { type: 'workflow_run.completed', payload: { id: 1 } }
  const path = '/webhooks/codehost/acme'
  expect((await sendWorkflowRun(api.base, json.secret, payload, { path })).data.status).toBe('accepted')
})
