import { createSecretCipher } from '@sallyport/webhooks/endpoints'
import { openManagedDestinations } from '@sallyport/webhooks/destinations'
import type { Destination } from '@sallyport/webhooks'
import { createMemoryDatabase, createWebhooks } from '@sallyport/webhooks/node'
import { expect, it, onTestFinished } from 'vitest'
import { hosts, origin } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, secrets } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const url = 'https://billing.example.com/the-key'

function createDeclared() {
  const create = (name: string): Destination => ({
    ...{ name, mode: 'event', send: () => Promise.reject(new Error('not sent')) },
  })
  let list = [create('fixed')]
  let tell = () => undefined as unknown
  return {
    list: () => list,
    onChange(listener: () => void) {
      tell = listener
    },
    declare(name: string) {
      list = [create(name)]
      tell()
    },
  }
}

async function open() {
  const declared = createDeclared()
  const database = createMemoryDatabase()
  const audit = database.audit()
  const used: (readonly string[])[] = []
  const destinations = await openManagedDestinations({
    store: database.destinations().managed,
    cipher: createSecretCipher([new Uint8Array(32).fill(1)]),
    declared,
    open({ name, mode, url: address, redact = [] }, values) {
      if (address.startsWith('http:')) throw new TypeError('url of a destination must begin with https:')
      used.push(values)
      const send = () => Promise.reject(new Error('not sent'))
      return { name, mode, redact, send, close: () => Promise.resolve() }
    },
    onError: () => undefined,
  })
  onTestFinished(() => destinations.close())
  const webhooks = createWebhooks({ database, providers: [], secrets: {}, destinations })
  const inbox = database.inbox()
  const operations = { ...webhooks.operations, audit, secrets }
  const host = await hosts['fetch']!(createOperations({ operations }, { authorize }))
  const fetch = (path: string, init: { method: string; body?: string; headers?: Record<string, string> }) =>
    host.fetch(
      new Request(`${origin}/operations${path}`, {
        ...init,
        headers: { authorization: 'Bearer all', 'content-type': 'application/json', ...init.headers },
      }),
    )
  const record = async (id: string) => {
    const { events, ...delivery } = createDelivery(id)
    const lane = { name: '>billing/0', isOrdered: false }
    const rows = events.map((row) => ({ ...row, lane, event: { ...row.event, id: `>billing/${id}` } }))
    await inbox.record({ ...delivery, events: rows })
  }
  return {
    audit,
    used,
    inbox,
    fetch,
    declared,
    record,
    call: createCall(host),
    reader: createCall(host, 'read'),
  }
}

it('creates a destination, and shows its secret once', async () => {
  const { call, reader, used, audit } = await open()
  const body = {
    name: 'billing',
    url,
    headers: { authorization: 'Bearer the-token' },
    rate_per_second: 5,
    redact: ['email'],
  }
  const created = await call('POST', '/destinations', body)
  expect(created).toMatchObject({
    status: 201,
    body: { data: { name: 'billing', url, mode: 'original', headers: { authorization: '[redacted]' } } },
  })
  const { secret } = (created.body as { data: { secret: string } }).data
  expect(secret).toMatch(/^whsec_.{40}/)
  expect(used.at(-1)).toEqual([secret])
  const shown = await call('GET', '/destinations/billing')
  expect(shown).toMatchObject({ status: 200, body: { data: { rate_per_second: 5, secrets: [{}] } } })
  expect(JSON.stringify(shown)).not.toMatch(/whsec_|the-token/)
  expect((await reader('GET', '/destinations/billing')).status).toBe(403)
  expect((await reader('GET', '/destinations')).body).toMatchObject({
    data: {
      destinations: [
        { name: 'billing', managed: true, mode: 'original', redact: ['email'], error_share: null },
        { name: 'fixed', managed: false, redact: [], attempts: 0 },
      ],
    },
  })
  expect(JSON.stringify((await reader('GET', '/destinations')).body)).not.toContain('the-key')
  expect(await call('POST', '/destinations', body)).toMatchObject({ status: 409 })
  expect(await call('POST', '/destinations', { ...body, name: 'fixed' })).toMatchObject({ status: 409 })
  expect((await reader('POST', '/destinations', { ...body, name: 'b' })).status).toBe(403)
  const entries = await audit.list({ limit: 10 })
  expect(entries.map(({ action, target }) => [action, target])).toEqual([['destination.create', 'billing']])
})

it('refuses a declaration that cannot be used', async () => {
  const { call } = await open()
  const create = (change: object) => call('POST', '/destinations', { name: 'a', url, ...change })
  expect(await create({ url: 'http://10.0.0.1' })).toMatchObject({
    status: 400,
    body: { error: { message: 'url of a destination must begin with https:' } },
  })
  for (const change of [{ name: 'A' }, { secret: '' }, { filter: { data: { a: 1 } } }, { redact: ['a..b'] }])
    expect((await create(change)).status).toBe(400)
  expect((await create({ colour: 1 })).status).toBe(400)
})

it('changes members under a condition, and keeps hidden headers', async () => {
  const { call, fetch, used } = await open()
  const headers = { authorization: 'Bearer the-token' }
  await call('POST', '/destinations', { name: 'billing', url, headers, order: 'subject', secret: 'given' })
  const patch = (body: object, etag: string) =>
    fetch('/destinations/billing', {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'if-match': etag },
    })
  const etag = (await fetch('/destinations/billing', { method: 'GET' })).headers.get('etag') ?? ''
  const change = { order: null, headers: { authorization: '[redacted]', 'x-a': 'b' }, concurrency: 3 }
  const changed = await patch(change, etag)
  expect(changed.status).toBe(200)
  const { data } = (await changed.json()) as { data: object }
  expect(data).toMatchObject({
    concurrency: 3,
    headers: { authorization: '[redacted]', 'x-a': '[redacted]' },
  })
  expect(data).not.toHaveProperty('order')
  expect((await patch({ concurrency: 4 }, etag)).status).toBe(412)
  expect(used.at(-1)).toEqual(['given'])
  for (const header of ['x-other', 'constructor']) {
    const unknown = { headers: { [header]: '[redacted]' } }
    expect((await call('PATCH', '/destinations/billing', unknown)).status).toBe(400)
  }
  expect((await call('PATCH', '/destinations/fixed', {})).status).toBe(404)
})

it('rotates secrets', async () => {
  const { call, used } = await open()
  await call('POST', '/destinations', { name: 'billing', url, secret: 'one' })
  const added = await call('POST', '/destinations/billing/secrets', { secret: 'two' })
  expect(added).toMatchObject({ status: 201, body: { data: { secret: null } } })
  expect(used.at(-1)).toEqual(['two', 'one'])
  const shown = (await call('GET', '/destinations/billing')).body as { data: { secrets: { id: string }[] } }
  const [newest, oldest] = shown.data.secrets
  expect((added.body as { data: { id: string } }).data.id).toBe(newest?.id)
  const remove = async (id = '') => (await call('DELETE', `/destinations/billing/secrets/${id}`)).status
  expect([await remove(oldest?.id), await remove(oldest?.id), await remove(newest?.id)]).toEqual([
    204, 404, 409,
  ])
})

it('keeps the events of a declared destination when the stored one of the name is deleted', async () => {
  const { call, inbox, declared, record } = await open()
  await call('POST', '/destinations', { name: 'billing', url })
  await record('doorbell:1')
  declared.declare('billing')
  expect((await call('DELETE', '/destinations/billing')).body).toEqual({ data: { cancelled: 0, waiting: 0 } })
  expect((await inbox.stats?.())?.events).toMatchObject({ pending: 1, dead: 0 })
})

it('cancels the waiting events of a deleted destination, and lists later ones as removed', async () => {
  const { call, record, reader } = await open()
  await call('POST', '/destinations', { name: 'billing', url })
  await record('doorbell:1')
  expect((await call('DELETE', '/destinations/billing')).body).toEqual({ data: { cancelled: 1, waiting: 0 } })
  expect((await call('DELETE', '/destinations/billing')).status).toBe(404)
  expect((await reader('GET', '/destinations')).body).toMatchObject({
    data: { destinations: [{ name: 'fixed' }] },
  })
  expect((await reader('GET', '/destinations/billing/events')).body).toMatchObject({
    data: { events: [{ state: 'dead', last_failure: { error: 'Cancelled by an operator' } }] },
  })
  await record('doorbell:2')
  expect((await reader('GET', '/destinations')).body).toMatchObject({
    data: { destinations: [{ name: 'billing', state: 'removed', pending: 1 }, { name: 'fixed' }] },
  })
  expect((await call('POST', '/destinations/billing/resume')).status).toBe(404)
  expect((await call('POST', '/cancellations', { destination: 'billing' })).body).toMatchObject({
    data: { events: 1 },
  })
})
