import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'

describeWith('postgres', (postgres) => {
  // A lock timeout in a list, a get, a login or a PATCH was 500.
  it('answers 503 with Retry-After while another session locks the table', async () => {
    await using api = await startApi({ DATABASE_URL: postgres().url })
    const { id, email, password, token } = await api.user('Ada')
    const database = await openPostgres({ url: postgres().url, idleInTransactionTimeoutMs: 60_000 })
    try {
      const answers = await database.kysely.transaction().execute(async (transaction) => {
        await sql`lock table users in access exclusive mode`.execute(transaction)
        return Promise.all([
          api.call('GET', '/users', { token }),
          api.call('GET', `/users/${id}`, { token }),
          api.call('POST', '/sessions', { json: { email, password } }),
          api.call('PATCH', `/users/${id}`, { json: { name: 'Ada L.' }, token }),
        ])
      })
      for (const { status, headers, error } of answers) {
        expect([status, headers.get('retry-after'), error.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE'])
      }
      expect((await api.call('GET', `/users/${id}`, { token })).status).toBe(200)
    } finally {
      await database.close()
    }
  }, 60_000)
})
