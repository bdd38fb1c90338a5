import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type SqliteDatabase } from '@sallyport/sql/sqlite'
import { createMemoryInbox } from '@sallyport/webhooks'
import { createMemoryAuditLog } from '@sallyport/test-support/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

interface Page {
  readonly data: readonly { readonly sequence: number }[]
  readonly meta: { readonly nextCursor: string }
}

let folder: string
let database: SqliteDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-consumers-'))
  database = await openSqlite({ path: join(folder, 'sallyport.db') })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

/** Endpoints of which one has a name. */
const namedEndpoints = {
  endpoints: { getMany: () => Promise.resolve([{ id: 'e-a', name: 'Acme Ltd', labels: {} }]) } as never,
  cipher: {} as never,
}

/** Opens the API of a database whose consumer has stopped with three dead letters. */
async function open() {
  const handlers = { 'doorbell/bell.rung': () => Promise.reject(new RangeError('secret')) }
  const consumer = database.consumer({ name: 'one', handlers, attempts: 1 })
  await consumer.start()
  const events = ['a', 'b', 'c'].map((id) => {
    const source = { provider: 'doorbell', deliveryId: id, receivedAt: 0, endpoint: `e-${id}` }
    return createEvent(id, 0, { subject: id, source })
  })
  await database.bus().publish(events, new AbortController().signal)
  const consumers = database.consumers()
  await expect.poll(() => consumers.list()).toMatchObject([{ pending: 0, deadLetters: 3 }])
  const audit = createMemoryAuditLog()
  const api = createOperations(
    { operations: { inbox: createMemoryInbox(), consumers, audit, secrets, endpoints: namedEndpoints } },
    { authorize },
  )
  const host = await hosts['fetch']!(api)
  return { consumer, audit, call: createCall(host), reader: createCall(host, 'read') }
}

it('lists consumers and their dead letters', async () => {
  const { reader, consumer } = await open()
  expect((await reader('GET', '/consumers')).body).toMatchObject({
    data: [{ name: 'one', pending: 0, failing: 0, dead_letters: 3, last_error: null }],
    meta: { total: 1 },
  })
  const page = await reader('GET', '/consumers/one/dead-letters?limit=2')
  expect(page.body).toMatchObject({
    data: [
      {
        ...{ event_id: 'a', name: 'doorbell/bell.rung', subject: 'a', error: 'RangeError', retried: false },
        ...{ endpoint: 'e-a', endpoint_name: 'Acme Ltd' },
      },
      { event_id: 'b', endpoint: 'e-b', endpoint_name: null },
    ],
    meta: { total: 3 },
  })
  const first = await reader('GET', '/consumers/one/dead-letters?limit=2&cursor=')
  const { nextCursor } = (first.body as Page).meta
  const next = await reader('GET', `/consumers/one/dead-letters?limit=2&cursor=${nextCursor}`)
  expect((next.body as Page).data).toMatchObject([{ event_id: 'c' }])
  expect((await reader('GET', '/consumers/one/retries')).body).toMatchObject({ data: [], meta: { total: 0 } })
  await consumer.stop()
})

it('retries and deletes dead letters, and records both', async () => {
  const { call, reader, consumer, audit } = await open()
  await consumer.stop()
  const { data } = (await call('GET', '/consumers/one/dead-letters')).body as Page
  const [first, second] = data.map(({ sequence }) => String(sequence))
  const path = `/consumers/one/dead-letters/${first}`
  expect((await reader('POST', `${path}/retry`)).status).toBe(403)
  expect((await reader('DELETE', path)).status).toBe(403)
  expect(await call('POST', `${path}/retry`)).toMatchObject({ status: 202, body: { data: { events: 1 } } })
  expect((await call('DELETE', `/consumers/one/dead-letters/${second}`)).status).toBe(204)
  expect((await call('DELETE', `/consumers/one/dead-letters/${second}`)).status).toBe(404)
  expect((await call('POST', '/consumers/one/dead-letters/999/retry')).status).toBe(404)
  expect(await call('POST', '/consumers/one/dead-letters/retries')).toMatchObject({
    body: { data: { events: 1, more: true } },
  })
  const entries = await audit.list({ limit: 10, order: 'oldest' })
  expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
    ['consumer.dead_letters.retry', 'one', { sequence: first }],
    ['consumer.dead_letter.delete', 'one', { sequence: second }],
    ['consumer.dead_letters.retry', 'one', { events: 1 }],
  ])
})

it('deletes a consumer that no process runs', async () => {
  const { call, consumer } = await open()
  expect((await call('DELETE', '/consumers/one')).status).toBe(409)
  await consumer.stop()
  expect((await call('DELETE', '/consumers/one')).status).toBe(204)
  expect((await call('DELETE', '/consumers/one')).status).toBe(404)
})
