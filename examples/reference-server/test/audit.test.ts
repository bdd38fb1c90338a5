import { join } from 'node:path'
import { openSqlite } from '@sallyport/sql/sqlite'
import { expect, it, vi } from 'vitest'
import { startApi } from './api.ts'
import { describeApi } from './describe-api.ts'
import { temporaryDirectory } from './server-process.ts'

describeApi((api) => {
  async function readAudit(query: string, token = api().admin.token) {
    const { status, list } = await api().call('GET', `/audit?${query}`, { token })
    expect(status).toBe(200)
    return list
  }

  it('has replays and erasures with their operator', async () => {
    const { call, admin, delivery } = api()
    const { token } = admin
    const id = await delivery()
    expect((await call('POST', `/deliveries/${id}/replays`, { token, json: { as_new: true } })).status).toBe(
      202,
    )
    await expect
      .poll(async () => (await call('DELETE', `/deliveries/${id}/body`, { token })).status, {
        timeout: 30_000,
      })
      .toBe(204)
    const operator = { actor_id: admin.id, actor_name: admin.email, target: id }
    expect(await readAudit(`target=${id}`)).toMatchObject([
      { ...operator, action: 'delivery.erase' },
      { ...operator, action: 'delivery.replay', detail: { as_new: true, outcome: 'replayed', events: 1 } },
    ])
  })

  it('has changes of endpoints', async () => {
    const { call, admin } = api()
    const { token } = admin
    const { data } = await call('POST', '/endpoints', { token, json: { provider: 'codehost', name: 'Acme' } })
    const path = `/endpoints/${data.id}`
    await call('PATCH', path, { token, json: { status: 'disabled' } })
    const secret = await call('POST', `${path}/secrets`, { token, json: {} })
    await call('DELETE', path, { token })
    const entries = await readAudit(`target=${data.id}&sort=created_at`)
    expect(entries.map(({ action }) => action)).toEqual([
      'endpoint.create',
      'endpoint.update',
      'endpoint.secret.add',
      'endpoint.delete',
    ])
    for (const each of [data, secret.data])
      expect(JSON.stringify(entries)).not.toContain(String(each['secret']))
  })

  it('has the key that an operator used', async () => {
    const { call, admin } = api()
    const json = { name: 'CI', scopes: ['endpoints:write', 'audit:read'] }
    const { data } = await call('POST', '/keys', { token: admin.token, json })
    const token = String(data['key'])
    const endpoint = await call('POST', '/endpoints', { token, json: { provider: 'codehost', name: 'Acme' } })
    await call('DELETE', `/keys/${data.id}`, { token: admin.token })
    const operator = { actor_id: admin.id, actor_name: admin.email }
    expect(await readAudit(`target=${endpoint.data.id}`)).toMatchObject([
      { ...operator, action: 'endpoint.create', detail: { key: data.id } },
    ])
    const entries = await readAudit(`target=${data.id}`)
    expect(entries).toMatchObject([
      { ...operator, action: 'key.delete', detail: { name: 'CI' } },
      { ...operator, action: 'key.create', detail: { name: 'CI', scopes: json.scopes } },
    ])
    expect(JSON.stringify(entries)).not.toContain(token.split('_')[2])
  })

  it('is for operators', async () => {
    const { call, user, admin } = api()
    const { token } = await user()
    expect((await call('GET', '/audit', { token })).error.code).toBe('FORBIDDEN')
    const json = { name: 'Reader', scopes: ['audit:read'] }
    const { data } = await call('POST', '/keys', { token: admin.token, json })
    expect(await readAudit('limit=1', String(data['key']))).toHaveLength(1)
  })
})

it('deletes entries after their retention', async () => {
  await using data = await temporaryDirectory()
  // Maintenance runs once an hour.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await using api = await startApi({ DATA_DIR: data.path, AUDIT_RETENTION_DAYS: '30' })
    const database = await openSqlite({ path: join(data.path, 'sallyport.db') })
    for (const days of [29, 31]) {
      const target = `${days} days`
      await database.audit().record({ actor: { id: 'ann' }, action: 'endpoint.delete', target })
      await database.kysely
        .updateTable('audit_entries')
        .set({ created_at: Date.now() - days * 24 * 60 * 60 * 1000 })
        .where('target', '=', target)
        .execute()
    }
    await database.close()
    const readTargets = async () => {
      const { list } = await api.call('GET', '/audit', { token: api.admin.token })
      return list.map(({ target }) => target)
    }
    expect(await readTargets()).toEqual(['29 days', '31 days'])
    await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
    await vi.waitUntil(async () => (await readTargets()).length < 2, { timeout: 30_000, interval: 100 })
    expect(await readTargets()).toEqual(['29 days'])
  } finally {
    vi.useRealTimers()
  }
})
