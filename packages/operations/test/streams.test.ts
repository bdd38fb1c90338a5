import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '@sallyport/rest'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import { createMemoryInbox, type CompleteInbox } from '@sallyport/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperations, type OperationsOptions } from '../src/index.ts'
import { hosts, type Host } from './hosts.ts'
import { authorize, createDelivery, settleAll } from './operations.ts'
import { openStream } from './stream-reader.ts'

const createApi = (
  inbox: CompleteInbox,
  options: Partial<OperationsOptions> = {},
  stopping?: AbortSignal,
): Api => createOperations({ operations: { inbox, stopping } }, { authorize, ...options })

/** Two inboxes of the same store, as in two processes. */
interface OpenInbox {
  readonly inbox: CompleteInbox
  readonly other: CompleteInbox
  readonly close: () => Promise<unknown>
}

function testStreams(open: () => Promise<OpenInbox>): void {
  let opened: OpenInbox
  let host: Host
  beforeAll(async () => {
    opened = await open()
    host = await hosts['node:http']!(createApi(opened.inbox))
  })
  afterAll(async () => {
    await host.close()
    await opened.close()
  })

  it('sends new deliveries of every process, without earlier ones', async () => {
    await opened.inbox.record(createDelivery('doorbell:earlier'))
    const stream = await openStream(host, '/deliveries/stream')
    const own = createDelivery('doorbell:own')
    const foreign = createDelivery('doorbell:foreign')
    await opened.inbox.record(own)
    await opened.other.record(foreign)
    const items = await stream.take(2)
    expect(items.map(({ event, data }) => [event, data['id']])).toEqual([
      ['delivery', own.id],
      ['delivery', foreign.id],
    ])
    expect(items[0]?.data).toMatchObject({ provider: 'doorbell', event_counts: { pending: 1 } })
    stream.stop()
  })

  it('sends the events of every process in the order of their publication', async () => {
    await settleAll(opened.inbox, 'done')
    const stream = await openStream(host, '/events/stream?provider=doorbell')
    await opened.inbox.record(createDelivery('doorbell:first'))
    await settleAll(opened.other, 'done')
    await opened.other.record(createDelivery('doorbell:second'))
    await settleAll(opened.inbox, 'done')
    const items = await stream.take(2)
    expect(items.map(({ event, data }) => [event, data['id'], data['data']])).toEqual([
      ['event', 'doorbell:first', { door: 'doorbell:first' }],
      ['event', 'doorbell:second', { door: 'doorbell:second' }],
    ])
    stream.stop()
  })

  it('continues after the last id, without gaps and without doubles', async () => {
    const first = await openStream(host, '/deliveries/stream')
    const deliveries = Array.from({ length: 5 }, (_, index) => createDelivery(`doorbell:continue:${index}`))
    for (const delivery of deliveries.slice(0, 3)) await opened.inbox.record(delivery)
    const received = [...(await first.take(2))]
    first.stop()
    for (const delivery of deliveries.slice(3)) await opened.other.record(delivery)
    const after = received.at(-1)?.id ?? ''
    const byHeader = await openStream(host, '/deliveries/stream?after=x', { 'last-event-id': after })
    const byQuery = await openStream(host, `/deliveries/stream?after=${encodeURIComponent(after)}`)
    const [rest, again] = [await byHeader.take(3), await byQuery.take(3)]
    expect([...received, ...rest].map(({ data }) => data['id'])).toEqual(deliveries.map(({ id }) => id))
    expect(again).toEqual(rest)
    byHeader.stop()
    byQuery.stop()
  })

  it('sends each delivery once to a client that connects again and again, with several writers', async () => {
    const recorded: string[] = []
    let isWriting = true
    const start = await openStream(host, '/deliveries/stream')
    let after = start.lastId()
    start.stop()
    const write = async (inbox: CompleteInbox, name: string) => {
      for (let round = 0; round < 40; round++) {
        const delivery = createDelivery(`doorbell:${name}:${round}`)
        recorded.push(delivery.id)
        await inbox.record(delivery)
      }
    }
    const writers = Promise.all([
      write(opened.inbox, 'a'),
      write(opened.other, 'b'),
      write(opened.other, 'c'),
    ]).finally(() => {
      isWriting = false
    })
    const received: unknown[] = []
    // Changes while the loop waits.
    const isDone = () => !isWriting && received.length >= recorded.length
    while (!isDone()) {
      const stream = await openStream(host, '/deliveries/stream', { 'last-event-id': after })
      const items = await stream.take(Math.min(7, Math.max(1, recorded.length - received.length)))
      received.push(...items.map(({ data }) => data['id']))
      after = items.at(-1)?.id ?? after
      stream.stop()
    }
    await writers
    expect([...received].sort()).toEqual([...recorded].sort())
  }, 60_000)

  it('sends earlier deliveries first with receivedAfter, also after a new connection', async () => {
    const receivedAt = Date.now() + 3_600_000
    const since = new Date(receivedAt - 1).toISOString()
    const earlier = Array.from({ length: 4 }, (_, index) =>
      createDelivery(`doorbell:history:${index}`, { receivedAt: receivedAt + 4 - index }),
    )
    for (const delivery of earlier) await opened.inbox.record(delivery)
    const stream = await openStream(host, `/deliveries/stream?receivedAfter=${since}`)
    const first = await stream.take(2)
    stream.stop()
    const later = createDelivery('doorbell:later', { receivedAt: receivedAt + 9 })
    await opened.inbox.record(later)
    const again = await openStream(host, `/deliveries/stream?receivedAfter=${since}`, {
      'last-event-id': first.at(-1)?.id ?? '',
    })
    const rest = await again.take(3)
    expect([...first, ...rest].map(({ data }) => data['id'])).toEqual([
      ...earlier.toReversed().map(({ id }) => id),
      later.id,
    ])
    again.stop()
  })

  it('sends only items that match the filters', async () => {
    const stream = await openStream(host, '/deliveries/stream?provider=mailbox&status=pending')
    await opened.inbox.record(createDelivery('doorbell:other'))
    const wanted = createDelivery('mailbox:wanted', { provider: 'mailbox' })
    await opened.inbox.record(wanted)
    expect((await stream.take(1)).map(({ data }) => data['id'])).toEqual([wanted.id])
    stream.stop()
  })
}

describe('with the inbox in memory', () => {
  testStreams(() => {
    const inbox = createMemoryInbox()
    return Promise.resolve({ inbox, other: inbox, close: () => inbox.close() })
  })
})

describe('with the inbox on SQLite', () => {
  testStreams(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'streams-'))
    const path = join(folder, 'inbox.db')
    const [database, other] = [await openSqlite({ path }), await openSqlite({ path })]
    return {
      inbox: database.inbox(),
      other: other.inbox(),
      async close() {
        await database.close()
        await other.close()
        await rm(folder, { recursive: true })
      },
    }
  })
})

describeWith('postgres', (postgres) => {
  testStreams(async () => {
    const [database, other] = [await openPostgres(postgres()), await openPostgres(postgres())]
    await database.migrate()
    return {
      inbox: database.inbox(),
      other: other.inbox(),
      async close() {
        await database.close()
        await other.close()
      },
    }
  })
})

describe.each(Object.entries(hosts))('on %s', (_, openHost) => {
  /** Opens a host of an inbox in memory. */
  async function openMemory(options: Partial<OperationsOptions> = {}, stopping?: AbortSignal) {
    const inbox = createMemoryInbox()
    const host = await openHost(createApi(inbox, options, stopping))
    return {
      inbox,
      host,
      async [Symbol.asyncDispose]() {
        await host.close()
      },
    }
  }

  it('sends an item while the response is open', async () => {
    await using opened = await openMemory()
    const stream = await openStream(opened.host, '/deliveries/stream')
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    await opened.inbox.record(createDelivery('doorbell:a'))
    expect(await stream.take(1)).toHaveLength(1)
    stream.stop()
  })

  it('frees the place of a client that disconnects', async () => {
    await using opened = await openMemory({ streams: { limit: 1 } })
    const first = await openStream(opened.host, '/events/stream')
    const second = await openStream(opened.host, '/deliveries/stream')
    expect([second.response.status, second.response.headers.get('retry-after')]).toEqual([503, '5'])
    first.stop()
    let status = 503
    while (status === 503) {
      await sleep(5)
      const third = await openStream(opened.host, '/deliveries/stream')
      status = third.response.status
      third.stop()
    }
    expect(status).toBe(200)
  })

  it('ends the streams when the server stops', async () => {
    const server = new AbortController()
    await using opened = await openMemory({}, server.signal)
    const stream = await openStream(opened.host, '/deliveries/stream')
    server.abort()
    expect(await stream.take(1)).toEqual([])
    expect((await openStream(opened.host, '/deliveries/stream')).response.status).toBe(503)
  })
})

it('keeps places for other operators', async () => {
  const host = await hosts['node:http']!(createApi(createMemoryInbox(), { streams: { limitPerOperator: 1 } }))
  const openAs = (token: string) => openStream(host, '/events/stream', { authorization: `Bearer ${token}` })
  const [own, second, other] = [await openAs('read'), await openAs('read'), await openAs('all')]
  expect([own, second, other].map(({ response }) => response.status)).toEqual([200, 503, 200])
  own.stop()
  await expect
    .poll(async () => {
      const next = await openAs('read')
      next.stop()
      return next.response.status
    })
    .toBe(200)
  await host.close()
})

it('ends a stream whose operator has no permission any more', async () => {
  let isAllowed = true
  const permissions = () => (isAllowed ? (['read'] as const) : [])
  const host = await hosts['node:http']!(
    createApi(createMemoryInbox(), {
      authorize: () => ({ id: 'ann', permissions: permissions() }),
      streams: { heartbeatMs: 5, checkMs: 10 },
    }),
  )
  const stream = await openStream(host, '/deliveries/stream')
  isAllowed = false
  expect(await stream.take(1)).toEqual([])
  await host.close()
})

it.each([
  ['/deliveries/stream?after=x', {}, { code: 'INVALID_CURSOR', field: 'after', in: 'query' }],
  ['/deliveries/stream', { 'last-event-id': 'x' }, { field: 'Last-Event-ID', in: 'header' }],
  ['/deliveries/stream?status=lost', {}, { code: 'NOT_ONE_OF', field: 'status' }],
  ['/deliveries/stream?limit=2', {}, { code: 'UNKNOWN', field: 'limit' }],
] as const)('rejects %s with %j', async (path, headers, detail) => {
  const host = await hosts['fetch']!(createApi(createMemoryInbox()))
  const request = new Request(`http://localhost/operations${path}`, {
    headers: { authorization: 'Bearer read', ...headers },
  })
  const response = await host.fetch(request)
  expect([response.status, await response.json()]).toMatchObject([400, { error: { details: [detail] } }])
})

it('reads nothing more for a client that does not read', async () => {
  const inbox = createMemoryInbox()
  let reads = 0
  const counting: CompleteInbox = {
    ...inbox,
    recorded(query) {
      reads++
      return inbox.recorded(query)
    },
  }
  const host = await hosts['node:http']!(createApi(counting))
  const stream = await openStream(host, '/deliveries/stream')
  const count = 2000
  // About 40 MB in total: more than the buffers of a connection.
  const provider = 'x'.repeat(20_000)
  for (let index = 0; index < count; index++)
    await inbox.record(createDelivery(`doorbell:${index}`, { provider }))
  await sleep(1000)
  const before = reads
  await sleep(500)
  expect(reads).toBe(before)
  expect(reads).toBeLessThan(count / 100 / 2)
  expect(await stream.take(count)).toHaveLength(count)
  stream.stop()
  await host.close()
}, 60_000)
