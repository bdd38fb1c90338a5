import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { expect, it } from 'vitest'
import { type RequestOptions } from './api.ts'
import { describeApi } from './describe-api.ts'

interface WorkflowRunPayload {
  readonly action: string
  readonly workflow_run: { readonly updated_at: string }
}

// The package's types describe a module without a default export, which is what JSON gives.
const completedRun = (examples as unknown as { name: string; examples: WorkflowRunPayload[] }[])
  .find(({ name }) => name === 'workflow_run')!
  .examples.find(({ action }) => action === 'completed')!

const secret = 'a secret of the code host'

describeApi(
  (api) => {
    const call = (method: string, path: string, options: RequestOptions = {}) =>
      api().call(method, path, { token: api().admin.token, ...options })
    const get = (path: string) => call('GET', path)
    const eventIds = async () => (await get('/events?limit=100&cursor=')).list.map(({ id }) => id)

    it('are shown, replayed and erased by operators', async () => {
      const id = await api().delivery()
      const { data, text } = await get(`/deliveries/${id}`)
      expect(data).toMatchObject({
        ...{ id, provider: 'codehost', status: 'published' },
        headers: { 'x-hub-signature-256': '[redacted]', 'x-github-event': 'workflow_run' },
        body: { encoding: 'utf-8', data: '{"type":"workflow_run.completed","payload":{"number":1}}' },
        events: [
          {
            ...{
              name: 'codehost/workflow_run.completed',
              subject: 'manual',
              route: 'direct',
              state: 'published',
            },
            ...{ attempts: 1, due_at: null, failures: [], notification: { state: 'sent' } },
          },
        ],
      })
      for (const one of [text, (await get('/deliveries')).text, (await get('/events')).text]) {
        expect(one).not.toContain(secret)
        expect(one).not.toContain('sha256=')
      }
      const before = await eventIds()
      const replay = (json: object) => call('POST', `/deliveries/${id}/replays`, { json })
      expect((await replay({})).data).toMatchObject({ outcome: 'replayed', events: before })
      await expect.poll(async () => (await get(`/deliveries/${id}`)).data['status']).toBe('published')
      expect(await eventIds()).toEqual(before)
      const [fresh] = (await replay({ as_new: true })).data['events'] as readonly string[]
      expect(fresh).toMatch(/^codehost:replay:/)
      await expect.poll(eventIds).toEqual([...before, fresh])
      await expect.poll(async () => (await call('DELETE', `/deliveries/${id}/body`)).status).toBe(204)
      expect((await get(`/deliveries/${id}`)).data).toMatchObject({ body_state: 'erased', body: null })
      expect((await replay({})).error.code).toBe('CONFLICT')
    })

    it('are for admins only', async () => {
      const { token } = await api().user()
      const id = await api().delivery()
      for (const [method, path, json] of [
        ['GET', '/deliveries'],
        ['GET', `/deliveries/${id}`],
        ['GET', `/deliveries/${id}/data?event=a`],
        ['POST', `/deliveries/${id}/replays`, {}],
        ['POST', '/replays', { all: true }],
        ['DELETE', `/deliveries/${id}/body`],
        ['GET', '/events'],
        ['GET', '/audit'],
      ] as const) {
        const options = json && { json }
        expect((await call(method, path, { token, ...options })).error.code, path).toBe('FORBIDDEN')
        expect((await api().call(method, path, options)).error.code, path).toBe('TOKEN_MISSING')
      }
      expect((await get(`/deliveries/${id}`)).data['body_state']).toBe('stored')
    })

    it('are quarantined with events older than MAX_EVENT_AGE_DAYS until a replay', async () => {
      expect((await api().deliver(completedRun)).status).toBe('quarantined')
      const [delivery] = (await get('/deliveries?status=quarantined')).list
      expect(delivery).toMatchObject({ reason: 'EVENT_TOO_OLD' })
      const { data } = await call('POST', `/deliveries/${delivery!.id}/replays`)
      expect(data['outcome']).toBe('replayed')
      const occurred_at = new Date(completedRun.workflow_run.updated_at).toISOString()
      const newest = async () => (await get('/events?limit=100')).list.at(-1)
      await expect.poll(newest).toMatchObject({ delivery_id: delivery!.id, occurred_at })
      // Regression: it was put into quarantine again, although its event was known.
      expect((await api().deliver(completedRun)).status).toBe('duplicate')
      expect((await get('/deliveries?status=quarantined')).list).toEqual([])
    })

    it('have an audit of the actions of operators and of their keys', async () => {
      const { admin } = api()
      const id = await api().delivery()
      await call('POST', `/deliveries/${id}/replays`, { json: { as_new: true } })
      const json = { name: 'CI', scopes: ['endpoints:write', 'audit:read'] }
      const { data: key } = await call('POST', '/keys', { json })
      const token = String(key['key'])
      const endpoint = await call('POST', '/endpoints', {
        token,
        json: { provider: 'codehost', name: 'Acme' },
      })
      await call('DELETE', `/keys/${key.id}`)
      const read = async (target: string) => (await get(`/audit?target=${target}`)).list
      const operator = { actor_id: admin.id, actor_name: admin.email }
      expect(await read(id)).toMatchObject([{ ...operator, action: 'delivery.replay' }])
      const created = { ...operator, action: 'endpoint.create', detail: { key: key.id } }
      expect(await read(endpoint.data.id)).toMatchObject([created])
      expect(await read(key.id)).toMatchObject([
        { ...operator, action: 'key.delete', detail: { name: 'CI' } },
        { ...operator, action: 'key.create', detail: json },
      ])
    })
  },
  { MAX_EVENT_AGE_DAYS: '30' },
)
