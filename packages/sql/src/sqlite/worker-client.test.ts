import { afterAll, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite } from './index.ts'
import type { QueryRequest, QueryResponse } from './worker-messages.ts'
import { WorkerClient } from './worker-client.ts'

afterAll(removeFiles)

it('rejects what a dead thread owes, and starts another for the next request', async () => {
  const path = await newPath()
  await (await openSqlite({ path })).close()
  const client = new WorkerClient<QueryRequest, QueryResponse>('query-worker', { path, busyTimeoutMs: 50 })
  const request = { sql: 'select 1 as one', parameters: [] }
  expect(await client.request(request)).toEqual({ rows: [{ one: 1 }] })
  const { generation } = client
  const owed = client.request({
    sql: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) from n',
    parameters: [],
  })
  const killed = client.kill()
  await expect(owed).rejects.toMatchObject({ name: 'SqliteError', code: 'WORKER_DIED' })
  await killed
  expect(client.generation).toBe(generation + 1)
  expect(await client.request(request)).toEqual({ rows: [{ one: 1 }] })
  await client.close()
  await expect(client.request(request)).rejects.toMatchObject({ code: 'CLOSED' })
})

it('does not start a thread for every request when it cannot be started', async () => {
  const options = { path: await newPath(), busyTimeoutMs: 50 }
  const client = new WorkerClient<QueryRequest, QueryResponse>('no-such-worker', options)
  for (let request = 0; request < 3; request++) {
    await expect(client.request('rollback')).rejects.toMatchObject({ code: 'WORKER_DIED' })
  }
  expect(client.generation).toBe(1)
  await client.close()
})

it('says why a database cannot be opened, and opens it once it can', async () => {
  const path = await newPath()
  const client = new WorkerClient<QueryRequest, QueryResponse>('query-worker', { path, busyTimeoutMs: 50 })
  const request = { sql: 'select 1 as one', parameters: [] }
  await expect(client.request(request)).rejects.toBeInstanceOf(Error)
  await (await openSqlite({ path })).close()
  expect(await client.request(request)).toEqual({ rows: [{ one: 1 }] })
  await client.close()
})
