import { samples } from '@sallyport/providers/codehost/samples'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { sendWorkflowRun } from './server-process.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
  for (const [id, region] of [
    ['acme', 'eu'],
    ['globex', 'us'],
  ] as const) {
    const json = { id, provider: 'codehost', name: id, secret: 'a secret of a customer', labels: { region } }
    expect((await asAdmin('POST', '/endpoints', json)).status).toBe(201)
    const path = `/webhooks/codehost/${id}`
    const { body } = samples.sample('workflow_run.completed')
    expect((await sendWorkflowRun(api.base, 'a secret of a customer', body, { path })).status).toBeLessThan(
      300,
    )
  }
})
afterAll(() => api[Symbol.asyncDispose]())

const asAdmin = (method: string, path: string, json?: object) =>
  api.call(method, path, { token: api.admin.token, json })

async function checkLimit(token: string): Promise<void> {
  const { list, text } = await api.call('GET', '/deliveries', { token })
  expect(list.map(({ endpoint }) => endpoint)).toEqual(['acme'])
  expect(text).not.toContain('globex')
  const all = (await asAdmin('GET', '/deliveries?endpoint=globex')).list
  expect((await api.call('GET', `/deliveries/${all[0]!.id}`, { token })).status).toBe(404)
  expect((await api.call('GET', '/endpoints', { token })).list.map(({ id }) => id)).toEqual(['acme'])
  const refused = await api.call('GET', '/statistics', { token })
  expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN'])
  expect((await api.call('GET', '/operator', { token })).data).toMatchObject({
    endpoints: 'region=eu',
    refused_operations: expect.arrayContaining(['getStatistics', 'createKey']) as string[],
  })
}

it('limits a user to endpoints', async () => {
  const { id, email, password } = await api.user()
  const limit = { role: 'support', endpoints: 'region=eu' }
  expect((await asAdmin('PATCH', `/users/${id}`, limit)).status).toBe(200)
  const { token } = await api.logIn({ email, password })
  await checkLimit(token)
  const replayed = await api.call('POST', '/replays', { token, json: { all: true, as_new: true } })
  expect(replayed.data).toMatchObject({ deliveries: 1 })
  // A change takes effect with the next request.
  await asAdmin('PATCH', `/users/${id}`, { endpoints: 'region=asia' })
  expect((await api.call('GET', '/deliveries', { token })).list).toEqual([])
})

it('limits an API key to endpoints', async () => {
  const scopes = ['deliveries:read', 'endpoints:read', 'statistics:read']
  const { data } = await asAdmin('POST', '/keys', { name: 'CI', scopes, endpoints: 'region=eu' })
  await checkLimit(String(data['key']))
})
