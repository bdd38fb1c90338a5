import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import { defineService, hmac } from '@sallyport/webhooks'
import type { FeedSource } from '@sallyport/webhooks/reconcile'
import { afterEach, expect, it, vi } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const shop = defineService({
  name: 'shop',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }),
  kind: 'type',
  id: 'id',
})

async function open(list: FeedSource['list']) {
  const database = createMemoryDatabase()
  const audit = database.audit()
  const webhooks = createWebhooks({
    ...{ database, providers: [shop], secrets: { shop: 'secret' }, on: {}, onError: vi.fn() },
    reconcile: { sources: [{ name: 'shop', provider: 'shop', list }] },
  })
  const start = () => {
    webhooks.start()
    closing.push(() => webhooks.stop(0))
  }
  const api = createOperations({ operations: { ...webhooks.operations, audit, secrets } }, { authorize })
  const host = await hosts['fetch']!(api)
  return { audit, start, call: createCall(host), reader: createCall(host, 'read') }
}

async function* listOne() {
  await Promise.resolve()
  const body = new TextEncoder().encode('{"id":"evt_1","type":"order.created"}')
  yield { id: 'evt_1', at: 0, body }
}

it('lists a source, and runs it on request', async () => {
  const { audit, start, call, reader } = await open(listOne)
  expect((await reader('GET', '/reconciliations')).body).toMatchObject({
    data: { reconciliations: [{ name: 'shop', mode: 'feed', state: 'ok', recovered: 0, last_run: null }] },
  })
  const since = '2026-01-01T00:00:00.000Z'
  const requested = await call('POST', '/reconciliations/shop/runs', { since, dry_run: true })
  expect(requested.status).toBe(202)
  const { data } = requested.body as { data: { id: string } }
  start()
  const run = { id: data.id, since, dry_run: true, missed: 1, recovered: 0, ids: ['evt_1'] }
  await vi.waitFor(async () => {
    expect((await reader('GET', '/reconciliations')).body).toMatchObject({
      data: { reconciliations: [{ recovered: 0, last_run: run }] },
    })
  }, 5000)
  expect((await audit.list({ limit: 1 }))[0]).toMatchObject({ action: 'reconciliation.run', target: 'shop' })
})

it('counts what was recovered in the state of the server', async () => {
  const { start, reader } = await open(listOne)
  start()
  const reconciliations = { sources: 1, failing: 0, recovered: 1, asked: 0, abandoned: 0 }
  await vi.waitFor(async () => {
    expect((await reader('GET', '/status')).body).toMatchObject({ data: { reconciliations } })
  }, 5000)
})

it('shows the code of a failed run', async () => {
  const { start, reader } = await open(() => {
    throw Object.assign(new Error('The token secret is wrong'), { code: 'HTTP_401' })
  })
  start()
  await vi.waitFor(async () => {
    const body: unknown = (await reader('GET', '/reconciliations')).body
    expect(body).toMatchObject({ data: { reconciliations: [{ state: 'failing', error: 'HTTP_401' }] } })
    expect(JSON.stringify(body)).not.toContain('secret')
  }, 5000)
})

it('refuses an unknown source, a wrong time, and an operator who may not replay', async () => {
  const { call, reader } = await open(listOne)
  expect((await call('POST', '/reconciliations/other/runs', {})).status).toBe(404)
  expect((await call('POST', '/reconciliations/shop/runs', { since: 'yesterday' })).status).toBe(400)
  expect((await reader('POST', '/reconciliations/shop/runs', {})).status).toBe(403)
})
