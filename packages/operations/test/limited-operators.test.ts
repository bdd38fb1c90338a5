import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SallyportError } from '@sallyport/errors'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createMcpRoute } from '@sallyport/rest/mcp'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import { createEraser, createMemoryUnprocessedStore } from '@sallyport/test-support/webhooks'
import {
  createReplayer,
  type CompleteInbox,
  type DeclaredEndpoint,
  type DeliveryRecord,
} from '@sallyport/webhooks'
import { createEndpoints, createSecretCipher, type EndpointStore } from '@sallyport/webhooks/endpoints'
import { createMemoryDatabase, type WebhookOperations } from '@sallyport/webhooks/node'
import type { UnprocessedStore } from '@sallyport/webhooks/unprocessed'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOperations, createOperationsRoutes, type Operator } from '../src/index.ts'
import { secrets, settleAll } from './operations.ts'

const everything = ['read', 'replay', 'erase', 'manage'] as const
const operators: Readonly<Record<string, Operator>> = {
  admin: { id: 'admin', permissions: everything },
  // Also with the permission to manage: the limit alone closes the routes.
  eu: { id: 'eu', permissions: everything, endpoints: 'region=eu' },
  both: {
    id: 'both',
    permissions: everything,
    endpoints: 'region=eu,plan=gold;region=us',
  },
  nobody: { id: 'nobody', permissions: everything, endpoints: 'region=asia' },
}

interface Stores {
  readonly inbox: CompleteInbox
  readonly endpoints: EndpointStore
  readonly unprocessed: UnprocessedStore
}

/** What one group of endpoints has: the ids of its deliveries by their states. */
interface Group {
  readonly endpoint: string
  readonly ids: Readonly<Record<'published' | 'dead' | 'waiting' | 'quarantined' | 'refused', string>>
}

function createDelivery(
  endpoint: string,
  name: string,
  changes: Partial<DeliveryRecord> = {},
): DeliveryRecord {
  const id = randomUUID()
  const receivedAt = Date.now()
  const source = { provider: 'doorbell', deliveryId: id, receivedAt, endpoint }
  const event = {
    ...{ id: `doorbell:${endpoint}:${name}`, name: 'doorbell/bell.rung', subject: `door of ${endpoint}` },
    ...{ ts: receivedAt, data: { door: endpoint }, source },
  }
  return {
    ...{ id, provider: 'doorbell', endpoint, receivedAt, headers: {}, values: ['order-17'] },
    body: Buffer.from(`{"door":"${endpoint}"}`),
    events: [{ event, route: 'direct', notify: false }],
    ...changes,
  }
}

async function fill({ inbox, unprocessed }: Stores): Promise<readonly [Group, Group]> {
  const names = ['acme', 'globex'] as const
  const record = (name: string, changes?: Partial<DeliveryRecord>) =>
    Promise.all(
      names.map(async (endpoint) => {
        const delivery = createDelivery(endpoint, name, changes)
        await inbox.record(delivery)
        return delivery.id
      }),
    )
  const published = await record('published')
  await settleAll(inbox, 'done')
  const dead = await record('dead')
  await settleAll(inbox, 'dead')
  const waiting = await record('waiting')
  const claimed = await inbox.claim('publish', { limit: 10, leaseMs: 60_000 })
  await inbox.settle(
    'publish',
    claimed.map(({ event, lease }) => ({
      id: event.id,
      lease,
      outcome: { status: 'retry', error: 'TimeoutError', afterMs: 3_600_000 },
    })),
  )
  const quarantined = await Promise.all(
    names.map(async (endpoint) => {
      const delivery = createDelivery(endpoint, 'quarantined', { events: [] })
      const quarantine = { key: `doorbell:${endpoint}:q`, reason: 'NORMALIZER_FAILED' } as const
      await inbox.record({ ...delivery, quarantine })
      return delivery.id
    }),
  )
  // A delivery without an endpoint belongs to no group.
  const plain = Object.entries(createDelivery('globex', 'plain')).filter(([name]) => name !== 'endpoint')
  await inbox.record(Object.fromEntries(plain) as unknown as DeliveryRecord)
  const refused = names.map((endpoint) => ({
    ...{ id: randomUUID(), outcome: 'refused' as const, provider: 'doorbell', endpoint, reason: 'mismatch' },
    ...{
      status: 401,
      receivedAt: Date.now(),
      headers: {},
      body: Buffer.from(endpoint),
      bodyBytes: 4,
      storedBytes: 9,
    },
  }))
  await unprocessed.add(refused)
  const toGroup = (endpoint: string, index: 0 | 1): Group => ({
    endpoint,
    ids: {
      published: published[index] ?? '',
      dead: dead[index] ?? '',
      waiting: waiting[index] ?? '',
      quarantined: quarantined[index] ?? '',
      refused: refused[index]?.id ?? '',
    },
  })
  return [toGroup('acme', 0), toGroup('globex', 1)]
}

/** Parts that a limited operator must not reach: a call fails the test. */
const unreachable = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`A limited operator reached ${String(name)}`)
    },
  },
)

async function open(stores: Stores, declared: readonly DeclaredEndpoint[] = []) {
  const { inbox, unprocessed } = stores
  const cipher = createSecretCipher([Buffer.alloc(32)])
  const endpoints = createEndpoints({ store: stores.endpoints, cipher })
  await endpoints.create({
    id: 'acme',
    provider: 'doorbell',
    name: 'Acme',
    labels: { region: 'eu', plan: 'gold' },
  })
  await endpoints.create({ id: 'globex', provider: 'doorbell', name: 'Globex', labels: { region: 'us' } })
  const [own, foreign] = await fill(stores)
  const others = [
    ...['replayJobs', 'traffic', 'consumers', 'destinations', 'subscriptions', 'reconciliations'],
    ...['managedDestinations', 'processes', 'audit'],
  ].map((name) => [name, unreachable])
  const operations = {
    ...(Object.fromEntries(others) as Partial<WebhookOperations>),
    ...{ inbox, unprocessed, secrets, providers: [] },
    replayer: createReplayer({ inbox, providers: [] }),
    eraser: createEraser({ inbox, unprocessed }),
    replayUnprocessed: () => Promise.resolve({ outcome: 'accepted' as const, deliveryId: own.ids.published }),
    diagnoseUnprocessed: () => Promise.resolve({ verified: false, mistakes: [] }),
    endpoints: { endpoints, cipher, createTestSender: () => unreachable as never },
    declaredEndpoints: () => declared,
  } as unknown as WebhookOperations
  const options = {
    ...{ catalogue: () => [], keys: unreachable as never, mcp: createMcpRoute },
  }
  const api = createOperations(
    { operations: { ...operations, audit: undefined } },
    {
      ...options,
      streams: { heartbeatMs: 50, checkMs: 50 },
      authorize: ({ header }) =>
        operators[header('authorization')?.slice('Bearer '.length) ?? ''] as Operator,
    },
  )
  const fetch = createFetchHandler(api)
  async function call(operator: string, method: string, path: string, body?: object) {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    return { status: response.status, text: await response.text() }
  }
  const routes = createOperationsRoutes({ operations }, options)
  const findRoute = (id: string) => {
    const found = routes.find(({ route }) => route.operationId === id)
    if (found === undefined) throw new Error(`There is no operation ${id}`)
    return found.route
  }
  return { call, fetch, routes, findRoute, own, foreign, endpoints }
}

type Opened = Awaited<ReturnType<typeof open>>

const forbidden = 'forbidden'

interface Shown {
  /** The request for an object of a group. */
  readonly one: (group: Group) => readonly [path: string, body?: object]
  readonly status: number
}

interface Listed {
  /** Requests whose response has the data of the own group, and none of the foreign one. */
  readonly list: readonly (readonly [path: string, body?: object])[]
  /** @default true */
  readonly showsOwn?: boolean
}

type Decision = typeof forbidden | Shown | Listed

const one = (status: number, find: Shown['one']): Shown => ({ one: find, status })

const change = (path: string): Listed => ({
  list: [{ all: true }, { endpoint: 'globex' }, { value: 'order-17' }].map((body) => [path, body] as const),
  showsOwn: false,
})

const forAll = (ids: readonly string[], decision: Decision) =>
  Object.fromEntries(ids.map((id): readonly [string, Decision] => [id, decision]))

/** The decision on each operation for a limited operator. A new route needs one. */
const decisions: Readonly<Record<string, Decision>> = {
  getOperator: { list: [['/operator']], showsOwn: false },
  listProviders: { list: [['/providers']], showsOwn: false },
  getProvider: { list: [['/providers/unknown']], showsOwn: false },
  listDeliveries: {
    list: [
      ...['', '&status=dead', '&text=door', '&value=order-17', '&minAttempts=1'],
      ...['&kind=bell.*', '&error=TimeoutError', '&sort=created_at', '&cursor='],
    ].map((query) => [`/deliveries?limit=100${query}`]),
  },
  listEvents: { list: [['/events?limit=100'], ['/events?limit=100&cursor=']] },
  listFailures: { list: [['/failures'], ['/failures?provider=doorbell']] },
  listEndpoints: { list: [['/endpoints?limit=100'], ['/endpoints?limit=100&cursor=']] },
  listUnprocessedDeliveries: { list: [['/unprocessed-deliveries?limit=100']] },
  searchDeliveries: {
    list: [
      ['/searches', { body: 'door' }],
      ['/searches', { body: 'door', status: 'dead' }],
    ],
  },
  getDelivery: one(200, ({ ids }) => [`/deliveries/${ids.published}`]),
  getEventData: one(200, ({ ids, endpoint }) => [
    `/deliveries/${ids.published}/data?event=doorbell:${endpoint}:published`,
  ]),
  getEndpoint: one(200, ({ endpoint }) => [`/endpoints/${endpoint}`]),
  getUnprocessedDelivery: one(200, ({ ids }) => [`/unprocessed-deliveries/${ids.refused}`]),
  getUnprocessedDiagnosis: one(200, ({ ids }) => [`/unprocessed-deliveries/${ids.refused}/diagnosis`]),
  replayUnprocessedDelivery: one(202, ({ ids }) => [`/unprocessed-deliveries/${ids.refused}/replays`]),
  retryDelivery: one(202, ({ ids }) => [`/deliveries/${ids.waiting}/retries`]),
  replayDelivery: one(202, ({ ids }) => [`/deliveries/${ids.dead}/replays`, {}]),
  eraseDelivery: one(204, ({ ids }) => [`/deliveries/${ids.published}/body`]),
  ...forAll(['streamDeliveries', 'streamEvents'], { list: [] }),
  retryEvents: change('/retries'),
  replayDeliveries: change('/replays'),
  cancelEvents: change('/cancellations'),
  eraseDeliveries: change('/erasures'),
  ...forAll(
    `getStatistics getDeliveryStatistics getStatus listProcesses listAudit listDeclaredEndpoints
    createEndpoint patchEndpoint deleteEndpoint addEndpointSecret removeEndpointSecret
    startEndpointHandshake readHandshakeSecret createTestDelivery listSubscriptions getSubscription
    renewSubscription listReconciliations requestReconciliationRun listReplayJobs getReplayJob
    createReplayJob cancelReplayJob replayUnprocessedDeliveries listKeys getKey createKey deleteKey
    listConsumers deleteConsumer listConsumerRetries listConsumerDeadLetters retryConsumerDeadLetter
    retryConsumerDeadLetters deleteConsumerDeadLetter listLanes getLane pauseLane resumeLane
    skipLaneHead retryLaneHead cancelLane listDestinations getDestination listDestinationEvents
    createDestination patchDestination deleteDestination pauseDestination resumeDestination
    addDestinationSecret removeDestinationSecret`.split(/\s+/),
    forbidden,
  ),
}

/** All that an admin sees of a group. */
async function observe({ call }: Opened, { endpoint, ids }: Group): Promise<readonly string[]> {
  const paths = [
    ...Object.values(ids).map((id) => `/deliveries/${id}`),
    ...[`/unprocessed-deliveries/${ids.refused}`, `/endpoints/${endpoint}`],
  ]
  return Promise.all(
    paths.map(async (path) => (await call('admin', 'GET', path)).text.replace(/"request_id":"[^"]*"/, '')),
  )
}

const withoutRequest = (text: string) => text.replace(/"requestId":"[^"]*"|"request_id":"[^"]*"/g, '')

function testLimits(openStores: () => Promise<Stores>): void {
  it('refuses each operation that does not serve limited operators', async () => {
    const { routes } = await open(await openStores())
    for (const { route, handler } of routes) {
      if (decisions[route.operationId] !== forbidden) continue
      const context = { caller: operators['eu'] } as never
      const refused = handler({ params: {}, query: {}, body: {} } as never, context)
      await expect(refused, route.operationId).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('answers an object of others like an unknown one', async () => {
    const opened = await open(await openStores())
    const { call, findRoute, own, foreign } = opened
    const unknown = {
      endpoint: 'unknown',
      ids: Object.fromEntries(Object.keys(own.ids).map((name) => [name, randomUUID()])),
    } as Group
    const before = await observe(opened, foreign)
    for (const [id, decision] of Object.entries(decisions)) {
      if (typeof decision === 'string' || !('one' in decision)) continue
      const { method } = findRoute(id)
      const send = (operator: string, group: Group) => call(operator, method, ...decision.one(group))
      const [refused, missing] = [await send('eu', foreign), await send('eu', unknown)]
      expect(refused.status, id).toBe(404)
      expect(withoutRequest(refused.text), id).toBe(withoutRequest(missing.text))
      expect((await send('nobody', own)).status, id).toBe(404)
      expect((await send('eu', own)).status, id).toBe(decision.status)
    }
    expect(await observe(opened, foreign)).toEqual(before)
  })

  it('lists, searches and changes nothing of others', async () => {
    const opened = await open(await openStores())
    const { call, findRoute, foreign } = opened
    const before = await observe(opened, foreign)
    for (const [id, decision] of Object.entries(decisions)) {
      if (typeof decision === 'string' || !('list' in decision)) continue
      const { method } = findRoute(id)
      for (const [path, body] of decision.list) {
        const { text, status } = await call('eu', method, path, body)
        if (!path.startsWith('/providers/')) expect(status, path).toBeLessThan(300)
        expect(text, path).not.toMatch(/globex/i)
        for (const id of Object.values(foreign.ids)) expect(text, path).not.toContain(id)
        if (decision.showsOwn !== false) expect(text, path).toContain('acme')
        const empty = await call('nobody', method, path, body)
        expect(empty.text, path).not.toMatch(/acme|globex/i)
      }
    }
    expect(await observe(opened, foreign)).toEqual(before)
  })

  it('finds nothing of others by their ids, and with a cursor of an admin', async () => {
    const { call, foreign } = await open(await openStores())
    const { published, dead } = foreign.ids
    const filters = {
      ...{ id: published, eventId: 'doorbell:globex:published', endpoint: 'globex', text: dead },
      ...{ subject: 'door of globex', value: dead },
    }
    for (const [name, value] of Object.entries(filters)) {
      const { text } = await call('eu', 'GET', `/deliveries?${name}=${encodeURIComponent(value)}`)
      expect(JSON.parse(text), name).toMatchObject({ data: [], meta: { total: 0 } })
    }
    for (const criteria of [{ id: dead }, { event_id: 'doorbell:globex:dead' }, { endpoint: 'globex' }]) {
      const dry = await call('eu', 'POST', '/replays', { ...criteria, dry_run: true })
      expect(JSON.parse(dry.text)).toMatchObject({ data: { deliveries: 0 } })
      const replayed = await call('eu', 'POST', '/replays', { ...criteria, as_new: true })
      expect(JSON.parse(replayed.text)).toMatchObject({ data: { deliveries: 0, events: 0 } })
    }
    for (const list of ['deliveries', 'events', 'unprocessed-deliveries']) {
      const first = await call('admin', 'GET', `/${list}?limit=1&cursor=`)
      const { meta } = JSON.parse(first.text) as { readonly meta: { readonly nextCursor?: string } }
      const { text } = await call('eu', 'GET', `/${list}?limit=100&cursor=${String(meta.nextCursor)}`)
      expect(text).not.toMatch(/globex/)
    }
  })

  it('reads no delivery of others, and erases an own one whose body cannot be read', async () => {
    const stores = await openStores()
    const inbox = {
      ...stores.inbox,
      get: () => Promise.reject(new SallyportError('BODY_UNAVAILABLE', 'The bucket does not answer')),
    }
    const { call, own, foreign } = await open({ ...stores, inbox })
    expect((await call('eu', 'GET', `/deliveries/${foreign.ids.dead}`)).status).toBe(404)
    expect((await call('eu', 'DELETE', `/deliveries/${foreign.ids.dead}/body`)).status).toBe(404)
    expect((await call('eu', 'DELETE', `/deliveries/${own.ids.dead}/body`)).status).toBe(204)
  })

  it('streams only what the own endpoints receive', async () => {
    const stores = await openStores()
    const { fetch } = await open(stores)
    const client = new AbortController()
    const response = await fetch(
      new Request('http://localhost/deliveries/stream?receivedAfter=2020-01-01T00:00:00Z', {
        headers: { authorization: 'Bearer eu' },
        signal: client.signal,
      }),
    )
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const readUntil = async (end: string) => {
      while (!text.includes(end)) text += (await reader.read()).value ?? ''
    }
    await readUntil('"status":"quarantined"')
    await stores.inbox.record(createDelivery('globex', 'late'))
    const late = createDelivery('acme', 'late')
    await stores.inbox.record(late)
    await readUntil(late.id)
    client.abort()
    expect(text.match(/event: delivery/g)).toHaveLength(5)
    expect(text).not.toContain('globex')
  })

  it('limits the tools of an assistant', async () => {
    const { call, own, foreign } = await open(await openStores())
    const use = async (name: string, given: object) => {
      const params = { name, arguments: given }
      const { text } = await call('eu', 'POST', '/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params,
      })
      return text
    }
    expect(await use('listDeliveries', {})).not.toContain('globex')
    expect(await use('getDelivery', { id: own.ids.dead })).toContain('acme')
    expect(await use('getDelivery', { id: foreign.ids.dead })).toContain('NOT_FOUND')
    expect(await use('listReplayJobs', {})).toContain('FORBIDDEN')
  })

  it('takes the labels of a declared endpoint before those of a stored one', async () => {
    const declare = (id: string, region: string) =>
      ({ id, provider: 'doorbell', status: 'active', secrets: 1, labels: { region } }) as const
    const { call } = await open(await openStores(), [declare('acme', 'us'), declare('globex', 'eu')])
    const { text } = await call('eu', 'GET', '/deliveries?limit=100')
    expect(text).toContain('globex')
    expect(text).not.toContain('acme')
  })

  it('joins the groups of several limits', async () => {
    const { call } = await open(await openStores())
    const { text } = await call('both', 'GET', '/deliveries?limit=100')
    expect(text).toContain('acme')
    expect(text).toContain('globex')
    expect(JSON.parse(text)).toMatchObject({ meta: { total: 8 } })
  })
}

describe('with a database in memory', () => {
  testLimits(() => {
    const database = createMemoryDatabase()
    return Promise.resolve({
      inbox: database.inbox() as CompleteInbox,
      endpoints: database.endpoints(),
      unprocessed: createMemoryUnprocessedStore(),
    })
  })
})

async function openSqliteStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'limits-'))
  const database = await openSqlite({ path: join(folder, 'inbox.db') })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  return { inbox: database.inbox(), endpoints: database.endpoints(), unprocessed: database.unprocessed() }
}

describe('with SQLite', () => {
  testLimits(openSqliteStores)

  it('has a decision on each operation', async () => {
    const { routes } = await open(await openSqliteStores())
    const ids = routes.map(({ route }) => route.operationId)
    expect(ids.filter((id) => id !== 'callTool').toSorted()).toEqual(Object.keys(decisions).toSorted())
  })
})

describeWith('postgres', (postgres) => {
  testLimits(async () => {
    const database = await openPostgres({ ...postgres(), migrate: true })
    await sql`truncate deliveries, events, idempotency_keys, endpoints, unprocessed_deliveries cascade`.execute(
      database.kysely,
    )
    onTestFinished(() => database.close())
    return { inbox: database.inbox(), endpoints: database.endpoints(), unprocessed: database.unprocessed() }
  })
})
