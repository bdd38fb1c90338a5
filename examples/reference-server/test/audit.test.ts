import { join } from 'node:path'
import { openSqlite } from '@sallyport/sql/sqlite'
import { expect, it, vi } from 'vitest'
import { startApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

it('the audit loses entries after AUDIT_RETENTION_DAYS', async () => {
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
