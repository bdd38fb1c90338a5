import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import { defineService, hmac, signDelivery } from '@sallyport/webhooks'
import { createWebhooks, createMemoryDatabase, type WebhookDatabase } from '@sallyport/webhooks/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperations } from '../src/index.ts'
import { authorize } from './operations.ts'

const doorbell = defineService({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  kind: 'type',
  id: 'id',
})
const encryptionKeys = [randomBytes(32).toString('base64')]
const publicUrl = 'https://hooks.example.com'
const samples = {
  kinds: ['ring'],
  sample: () => ({ headers: {}, body: { type: 'ring', id: crypto.randomUUID() } }),
}

/** Starts the webhooks of one process, with the operations API. */
function startProcess(database: WebhookDatabase, keys = encryptionKeys) {
  const handled: string[] = []
  const webhooks = createWebhooks({
    ...{ database, publicUrl },
    providers: [doorbell],
    endpoints: true,
    encryptionKeys: keys,
    unprocessed: { flushMs: 10 },
    on: { 'doorbell/ring': ({ source, id }) => handled.push(`${source.endpoint} ${id}`) },
  })
  webhooks.start()
  const catalogue = () => [{ provider: doorbell, loadSamples: () => Promise.resolve(samples) }]
  const fetch = createFetchHandler(createOperations(webhooks, { authorize, catalogue }))

  async function call(method: string, path: string, body?: object, headers = {}) {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: 'Bearer all', 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text || 'null') as unknown }
  }

  async function deliver(url: string, secret: string, id: string): Promise<number> {
    const body = new TextEncoder().encode(JSON.stringify({ type: 'ring', id }))
    const { headers } = await signDelivery(
      doorbell.signature,
      { method: 'POST', headers: new Headers(), body },
      secret,
      Date.now(),
    )
    return (await webhooks.fetch(new Request(url, { method: 'POST', headers, body }))).status
  }

  async function createEndpoint(name: string, headers = {}) {
    const { body } = await call('POST', '/endpoints', { provider: 'doorbell', name }, headers)
    return (body as { data: { id: string; url: string; secret: string } }).data
  }
  return { webhooks, fetch, handled, call, deliver, createEndpoint }
}

function testFrontDoor(open: () => Promise<{ database: WebhookDatabase; close: () => Promise<unknown> }>) {
  let opened: Awaited<ReturnType<typeof open>>
  let one: ReturnType<typeof startProcess>
  beforeAll(async () => {
    opened = await open()
    one = startProcess(opened.database)
  })
  afterAll(async () => {
    await one.webhooks.stop()
    await opened.close()
  })

  it('handles the deliveries of an endpoint that an operator creates, and shows them', async () => {
    const { id, url, secret } = await one.createEndpoint('Acme')
    expect(url).toBe(`${publicUrl}/webhooks/doorbell/${id}`)
    expect(await one.deliver(url, secret, '1')).toBe(200)
    await expect.poll(() => one.handled).toEqual([expect.stringContaining(id)])
    await expect
      .poll(() => one.call('GET', `/deliveries?endpoint=${id}`))
      .toMatchObject({ body: { data: [{ provider: 'doorbell', status: 'published' }] } })
    expect(await one.webhooks.endpoints.get(id)).toMatchObject({ name: 'Acme' })
    const audit = await one.call('GET', `/audit?target=${id}`)
    expect(audit).toMatchObject({ body: { data: [{ action: 'endpoint.create', target: id }] } })
  })

  it('explains a refused delivery, and accepts it after the secret was added', async () => {
    const { id, url } = await one.createEndpoint('Beta')
    expect(await one.deliver(url, 'another secret', '2')).toBe(401)
    const path = `/unprocessed-deliveries?endpoint=${id}`
    await expect.poll(() => one.call('GET', path)).toMatchObject({ body: { data: [{ outcome: 'refused' }] } })
    const { body } = await one.call('GET', path)
    const refused = `/unprocessed-deliveries/${(body as { data: [{ id: string }] }).data[0].id}`
    expect((await one.call('GET', `${refused}/diagnosis`)).status).toBe(200)
    await one.call('POST', `/endpoints/${id}/secrets`, { secret: 'another secret' })
    const replayed = await one.call('POST', `${refused}/replays`)
    expect(replayed).toMatchObject({ body: { data: { outcome: 'accepted' } } })
  })

  it('replays deliveries in a job', async () => {
    const { id, url, secret } = await one.createEndpoint('Gamma')
    await one.deliver(url, secret, '3')
    await expect
      .poll(() => one.call('GET', `/deliveries?endpoint=${id}`))
      .toMatchObject({ body: { data: [{ status: 'published' }] } })
    expect(one.handled.filter((each) => each.startsWith(id))).toHaveLength(1)
    const { status, body } = await one.call('POST', '/replay-jobs', { endpoint: id })
    expect(status).toBe(202)
    const { id: job } = (body as { data: { id: string } }).data
    const read = () => one.call('GET', `/replay-jobs/${job}`)
    await expect.poll(read).toMatchObject({ body: { data: { status: 'done', replayed: 1 } } })
    await expect.poll(() => one.handled.filter((each) => each.startsWith(id))).toHaveLength(2)
  })

  it('sends a test delivery with a sample of the catalogue', async () => {
    const { id } = await one.createEndpoint('Delta')
    const sent = await one.call('POST', `/endpoints/${id}/test-deliveries`, { kind: 'ring' })
    expect(sent).toMatchObject({ body: { data: { outcome: 'accepted' } } })
  })

  it('counts the requests of a process, and ends its streams when it stops', async () => {
    const other = startProcess(opened.database)
    const { url } = await other.createEndpoint('Epsilon')
    await other.deliver(url, 'a wrong secret', '4')
    const headers = { authorization: 'Bearer all' }
    const openStream = () => other.fetch(new Request('http://localhost/events/stream', { headers }))
    const stream = await openStream()
    const end = stream.text()
    await other.webhooks.stop()
    await end
    expect([stream.status, (await openStream()).status]).toEqual([200, 503])
    const { body } = await one.call('GET', '/statistics?window=1h')
    const { reasons } = (body as { data: { reasons: readonly object[] } }).data
    expect(reasons).toContainEqual(
      expect.objectContaining({ outcome: 'refused', reason: 'INVALID_SIGNATURE' }),
    )
  })
}

describe('in memory', () => {
  testFrontDoor(() => Promise.resolve({ database: createMemoryDatabase(), close: () => Promise.resolve() }))
})

describe('with SQLite', () => {
  testFrontDoor(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operations-'))
    const database = await openSqlite({ path: join(folder, 'webhooks.db') })
    const close = async () => {
      await database.close()
      await rm(folder, { recursive: true })
    }
    return { database, close }
  })
})

describeWith('postgres', (postgres) => {
  testFrontDoor(async () => {
    const database = await openPostgres({ ...postgres(), migrate: true })
    return { database, close: () => database.close() }
  })

  it('shares endpoints, cursors and stored responses with another process that has the keys', async () => {
    const [database, otherDatabase] = [await openPostgres(postgres()), await openPostgres(postgres())]
    const [one, other] = [startProcess(database), startProcess(otherDatabase)]
    const key = { 'idempotency-key': 'zeta' }
    const created = await one.createEndpoint('Zeta', key)
    expect(await other.createEndpoint('Zeta', key)).toEqual(created)
    expect(await other.deliver(created.url, created.secret, '5')).toBe(200)
    const { body } = await one.call('GET', '/endpoints?limit=1&cursor=')
    const { nextCursor } = (body as { meta: { nextCursor: string } }).meta
    expect((await other.call('GET', `/endpoints?limit=1&cursor=${nextCursor}`)).status).toBe(200)
    await Promise.all([one.webhooks.stop(), other.webhooks.stop()])
    await Promise.all([database.close(), otherDatabase.close()])
  })
})
