import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SallyportError } from '@sallyport/errors'
import express from 'express'
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { doorbell, rung, secret, signBody } from './doorbell.ts'
import { measured } from './telemetry.ts'
import { createMemoryBus, HandlerError, createMemoryInbox, staticSecrets } from '../src/index.ts'
import { createWebhooks, createMemoryDatabase, type Webhooks } from '../src/node/index.ts'
import type { WebhookInbox } from '../src/webhooks/database.ts'

const secrets = { doorbell: secret }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const withInbox = (inbox: WebhookInbox) => ({ ...createMemoryDatabase(), inbox: () => inbox })

function open(options: Partial<Parameters<typeof createWebhooks<[typeof doorbell]>>[0]> = {}) {
  const ring = vi.fn()
  const webhooks = createWebhooks({
    providers: [doorbell],
    secrets,
    database: createMemoryDatabase(),
    ...(options.publisher === undefined && { on: { 'doorbell/bell.rung': ring } }),
    ...options,
  })
  webhooks.start()
  closing.push(() => webhooks.stop())
  return { webhooks, ring }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const post = async (url: string, body = rung()) =>
  fetch(url, { method: 'POST', body, headers: await signBody(body) })

describe('createWebhooks', () => {
  const hosts: Readonly<Record<string, (webhooks: Webhooks) => Promise<Response>>> = {
    'node:http': async ({ node }) => post(`${await serve(node)}/webhooks/doorbell`),
    'an Express application': async (webhooks) => {
      const app = express().use(webhooks.express).use(express.json())
      return await post(`${await serve(app as RequestListener)}/webhooks/doorbell`)
    },
    'a path of an Express application': async (webhooks) => {
      const app = express().use('/webhooks', webhooks.express).use(express.json())
      return await post(`${await serve(app as RequestListener)}/webhooks/doorbell`)
    },
    fetch: async (webhooks) => {
      const init = { method: 'POST', body: rung(), headers: await signBody(rung()) }
      return await webhooks.fetch(new Request('https://hooks.example.com/webhooks/doorbell', init))
    },
  }

  it.each(Object.entries(hosts))('handles a delivery once over %s', async (_, deliver) => {
    const { webhooks, ring } = open()
    for (const status of ['accepted', 'duplicate']) {
      const response = await deliver(webhooks)
      expect([response.status, await response.json()]).toMatchObject([200, { data: { status } }])
    }
    await vi.waitFor(() => {
      expect(ring).toHaveBeenCalledOnce()
    })
    expect(ring.mock.calls[0]![0]).toMatchObject({ name: 'doorbell/bell.rung', data: { door: 'front' } })
  })

  it('passes other paths of an Express application on', async () => {
    const { webhooks } = open()
    const app = express()
      .use(webhooks.express)
      .get('/hello', (_, response) => void response.send('hello'))
    const base = await serve(app as RequestListener)
    expect(await (await fetch(`${base}/hello`)).text()).toBe('hello')
    expect((await fetch(`${await serve(webhooks.node)}/hello`)).status).toBe(404)
  })

  it('reports the failure of a handler without its message, and retries the event until the handler returns', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { webhooks, ring } = open({ dispatcher: { pollMs: 5 }, handlers: { backoff: { baseMs: 1 } } })
    ring.mockRejectedValueOnce(new TypeError('The payload is {"token":"secret"}'))
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(ring).toHaveBeenCalledTimes(2)
    })
    expect(log).toHaveBeenCalledOnce()
    const [text, error] = log.mock.calls[0] as [string, Error]
    expect(text).toMatch(/^sallyport: The handler of doorbell\/bell\.rung failed for doorbell:/)
    expect(error.message).toBe('TypeError')
    expect(error.stack).toMatch(/^TypeError\n +at .*create-webhooks\.test\.ts/)
    log.mockRestore()
  })

  it('prints the text of a HandlerError, and passes errors to onHandlerError instead', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const error = new HandlerError('The plan is missing', { retryable: false })
    const { webhooks, ring } = open()
    ring.mockRejectedValue(error)
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(log).toHaveBeenCalled()
    })
    expect(log.mock.calls[0]![0]).toMatch(/failed for doorbell:bell.rung:1 \(The plan is missing\):$/)
    const onHandlerError = vi.fn()
    const other = open({ onHandlerError })
    other.ring.mockRejectedValue(error)
    await hosts['fetch']!(other.webhooks)
    await vi.waitFor(() => {
      expect(onHandlerError).toHaveBeenCalledWith(
        error,
        expect.objectContaining({ name: 'doorbell/bell.rung' }),
      )
    })
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  it('says why it answers 503, without the error of a driver, once a minute', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { webhooks } = open()
    const app = express().use(express.json()).use(webhooks.express)
    const base = await serve(app as RequestListener)
    const headers = { ...(await signBody(rung())), 'content-type': 'application/json' }
    for (let time = 0; time < 2; time++) {
      const response = await fetch(`${base}/webhooks/doorbell`, { method: 'POST', body: rung(), headers })
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('parsers')])
    }
    expect(log.mock.calls).toEqual([
      ['sallyport: The body was read before the gateway: mount the gateway before body parsers'],
    ])
    log.mockRestore()
  })

  it('reports once a delivery that waits for start', async () => {
    const onError = vi.fn()
    const webhooks = createWebhooks({
      ...{ providers: [doorbell], secrets, database: createMemoryDatabase(), on: {}, onError },
    })
    const deliver = () => hosts['fetch']!(webhooks)
    await deliver()
    await deliver()
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'NOT_STARTED' }), 'gateway']])
  })

  it('handles the events of a lane in their order', async () => {
    const handled: string[] = []
    const { webhooks } = open({
      lane: ({ subject }) => subject,
      on: {
        'doorbell/bell.rung': async ({ id }) => {
          // A later event would be faster.
          await new Promise((resolve) => setTimeout(resolve, 4 - handled.length * 2))
          handled.push(id)
        },
      },
    })
    const base = await serve(webhooks.node)
    for (const id of ['1', '2', '3']) await post(`${base}/webhooks/doorbell`, rung(id))
    await vi.waitFor(() => {
      expect(handled).toEqual(['1', '2', '3'].map((id) => `doorbell:bell.rung:${id}`))
    })
  })

  it('handles an event whose lane cannot be named, and reports the part', async () => {
    const error = new Error('no')
    const onError = vi.fn()
    const lane = () => {
      throw error
    }
    const { webhooks, ring } = open({ lane, onError })
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(ring).toHaveBeenCalledOnce()
    })
    expect(onError.mock.calls).toEqual([[error, 'lanes']])
  })

  it('reports an error of the inbox', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const inbox = createMemoryInbox()
    vi.spyOn(inbox, 'claim').mockRejectedValue(new Error('connect to postgres://user:password@db failed'))
    open({ database: withInbox(inbox) })
    await vi.waitFor(() => {
      expect(log).toHaveBeenCalled()
    })
    expect(log.mock.calls[0]).toMatchObject(['sallyport: The inbox failed:', { message: 'Error' }])
    log.mockRestore()
  })

  it('says what to do when the tables are missing', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const inbox = createMemoryInbox()
    const cause = new SallyportError('DATABASE_TOO_OLD', 'The tables are missing: call migrate()')
    vi.spyOn(inbox, 'claim').mockRejectedValue(new SallyportError('INBOX_UNAVAILABLE', 'no', { cause }))
    open({ database: withInbox(inbox) })
    await vi.waitFor(() => {
      expect(log).toHaveBeenCalled()
    })
    const text = 'sallyport: The inbox failed (The tables are missing: call migrate()):'
    expect(log.mock.calls[0]).toMatchObject([text, { message: 'SallyportError INBOX_UNAVAILABLE' }])
    log.mockRestore()
  })

  it('publishes to a bus instead of handlers', async () => {
    const bus = createMemoryBus()
    const { webhooks } = open({ publisher: bus, secrets: staticSecrets({ doorbell: [secret] }) })
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(bus.events).toHaveLength(1)
    })
  })

  it('is ready while it runs and the inbox is available', async () => {
    const inbox = createMemoryInbox()
    const webhooks = createWebhooks({ providers: [doorbell], secrets, database: withInbox(inbox), on: {} })
    await expect(webhooks.ready()).rejects.toMatchObject({ status: 503, code: 'NOT_STARTED' })
    webhooks.start()
    await webhooks.ready()
    vi.spyOn(inbox, 'ping').mockRejectedValueOnce(new Error('unavailable'))
    await expect(webhooks.ready()).rejects.toThrow('unavailable')
    await webhooks.stop()
    await expect(webhooks.ready()).rejects.toMatchObject({ code: 'NOT_STARTED' })
  })

  it('publishes work of other processes as soon as it learns of it', async () => {
    const inbox = createMemoryInbox()
    const recorder = createWebhooks({ providers: [doorbell], secrets, database: withInbox(inbox), on: {} })
    let wake: (work: 'publish') => void = () => undefined
    const unsubscribe = vi.fn()
    const { webhooks, ring } = open({
      dispatcher: { pollMs: 600_000 },
      database: {
        ...withInbox(inbox),
        onWork: (listener) => {
          wake = listener
          return unsubscribe
        },
      },
    })
    recorder.start({ dispatch: false })
    closing.push(() => recorder.stop())
    await hosts['fetch']!(recorder)
    wake('publish')
    await vi.waitFor(() => {
      expect(ring).toHaveBeenCalledOnce()
    })
    await webhooks.stop()
    expect(unsubscribe).toHaveBeenCalledOnce()
  })

  it('refuses options that cannot work', () => {
    const common = { providers: [doorbell], database: createMemoryDatabase() } as const
    expect(() => createWebhooks({ ...common, secrets })).toThrow('Set either on or publisher')
    expect(() => createWebhooks({ ...common, secrets, on: {}, publisher: createMemoryBus() })).toThrow(
      'either',
    )
    const unawaited = Promise.resolve(common.database) as never
    expect(() => createWebhooks({ ...common, secrets, database: unawaited, on: {} })).toThrow('await')
    const misspelled = { 'dorbell/bell.rung': () => undefined } as object
    expect(() => createWebhooks({ ...common, secrets, on: misspelled })).toThrow(
      'The handler of "dorbell/bell.rung" has no provider',
    )
    for (const missing of [undefined, {}, { doorbell: undefined }, { doorbell: '' }, { doorbell: [''] }]) {
      const given = missing && { secrets: missing }
      expect(() => createWebhooks({ ...common, ...given, on: {} })).toThrow('Set a secret for "doorbell"')
    }
  })

  it('refuses options of handlers for a publisher, and lanes that cannot work', () => {
    const common = { providers: [doorbell], secrets, database: createMemoryDatabase() } as const
    const lane = () => 'a'
    const forHandlers = { lane, lanes: {}, handlers: {}, onHandlerError: () => undefined }
    for (const [name, value] of Object.entries(forHandlers))
      expect(() => createWebhooks({ ...common, publisher: createMemoryBus(), [name]: value })).toThrow(
        `${name} needs handlers`,
      )
    const create = (options: Partial<Parameters<typeof createWebhooks>[0]>) => () =>
      createWebhooks({ ...common, on: {}, ...options })
    expect(create({ dispatcher: { timeoutMs: 1 } })).toThrow('dispatcher.timeoutMs needs a publisher')
    expect(create({ lanes: {} })).toThrow('lanes needs lane')
    expect(create({ lane, lanes: { concurrency: 2 } })).toThrow('needs ordered: false')
    expect(create({ lane, lanes: { ordered: false, onDead: 'pause' } })).toThrow('needs ordered lanes')
    const inbox = createMemoryInbox()
    Reflect.deleteProperty(inbox, 'claimLanes')
    expect(create({ lane, database: withInbox(inbox) })).toThrow('lane needs an inbox with lanes')
  })

  it('refuses features without the store or the keys that they need', () => {
    const encryptionKeys = [Buffer.alloc(32, 1).toString('base64')]
    const common = { providers: [doorbell], secrets, on: {} } as const
    const { inbox } = createMemoryDatabase()
    const create = (options: Pick<Parameters<typeof createWebhooks>[0], 'endpoints' | 'unprocessed'>) => () =>
      createWebhooks({ ...common, database: createMemoryDatabase(), ...options })
    expect(create({ endpoints: true })).toThrow('encryptionKeys')
    expect(create({ unprocessed: { bytes: 1 } })).toThrow('encryptionKeys')
    const withKeys = { ...common, database: { inbox }, encryptionKeys }
    expect(() => createWebhooks({ ...withKeys, endpoints: true })).toThrow('no store of endpoints')
    expect(() => createWebhooks({ ...withKeys, unprocessed: {} })).toThrow('store of these deliveries')
    expect(() => createWebhooks({ ...withKeys, encryptionKeys: [] })).toThrow('needs a key')
    expect(createWebhooks({ ...withKeys, unprocessed: false }).operations.unprocessed).toBeUndefined()
  })

  it('has no parts of operators whose stores are missing', () => {
    const inbox = createMemoryInbox()
    const own: WebhookInbox = {
      record: (...given) => inbox.record(...given),
      known: (...given) => inbox.known(...given),
      claim: (...given) => inbox.claim(...given),
      settle: (...given) => inbox.settle(...given),
    }
    const { operations } = createWebhooks({
      ...{ providers: [doorbell], secrets, on: {} },
      database: { inbox: () => own },
    })
    expect(Object.entries(operations).filter(([, part]) => part !== undefined)).toMatchObject([
      ['inbox', own],
      ['providers', [doorbell]],
      ['gatewayUrl', '/webhooks'],
      ['secrets', [expect.stringMatching(/^[\w-]{43}$/)]],
      ['stopping', { aborted: false }],
      ['notices', expect.any(Function)],
    ])
  })

  it('only records while it does not dispatch', async () => {
    const database = createMemoryDatabase()
    const ring = vi.fn()
    const options = { database, providers: [doorbell], secrets, on: { 'doorbell/bell.rung': ring } } as const
    const recorder = createWebhooks(options)
    recorder.start({ dispatch: false })
    await recorder.ready()
    await hosts['fetch']!(recorder)
    await recorder.stop()
    expect(await database.inbox().stats?.()).toMatchObject({ events: { pending: 1 } })
    expect(ring).not.toHaveBeenCalled()
  })

  it('shows each process with its roles, and sends alerts of every process', async () => {
    const database = createMemoryDatabase()
    const findings = { name: 'a', find: () => Promise.resolve([]) }
    const find = vi.spyOn(findings, 'find')
    const recorder = createWebhooks({
      ...{ database, providers: [doorbell], secrets, publisher: createMemoryBus() },
      alerts: { targets: [], sources: [findings] },
      process: { roles: ['api', 'gateway'], version: '1.2.0' },
    })
    recorder.start({ dispatch: false })
    closing.push(() => recorder.stop())
    const { webhooks } = open({ database })
    const list = async () => (await database.processes().list()).map(({ roles }) => roles)
    await expect.poll(list).toEqual([
      ['api', 'gateway'],
      ['dispatcher', 'gateway'],
    ])
    await expect.poll(() => find).toHaveBeenCalled()
    await webhooks.stop()
    expect(await recorder.operations.processes?.list()).toMatchObject([{ version: '1.2.0' }])
  })

  it('sends alerts with a link to the console', async () => {
    const send = vi.fn(() => Promise.resolve())
    const { webhooks, ring } = open({
      alerts: {
        ...{ targets: [{ name: 'chat', send }], checkMs: 5, holdMs: 0 },
        consoleUrl: 'https://ops.example.com/console',
      },
    })
    ring.mockImplementation(() => {
      throw new HandlerError('broken', { retryable: false })
    })
    vi.spyOn(console, 'error').mockReturnValueOnce()
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalled()
    })
    const links = [{ label: 'Console', url: 'https://ops.example.com/console/failures' }]
    expect(send).toHaveBeenCalledWith(
      expect.objectContaining({ name: 'dead_letters', links }),
      expect.anything(),
    )
  })

  it('measures deliveries, attempts and the inbox with telemetry', async () => {
    const { telemetry, metric, span } = measured()
    const database = createMemoryDatabase()
    const stats = vi.spyOn(database.inbox(), 'stats')
    const { webhooks, ring } = open({ database, telemetry })
    await hosts['fetch']!(webhooks)
    await vi.waitFor(() => {
      expect(ring).toHaveBeenCalled()
    })
    await vi.waitFor(async () => {
      expect(Object.values(await metric('sallyport.attempts'))).toEqual([1])
    })
    expect(Object.values(await metric('sallyport.deliveries'))).toEqual([1])
    expect(Object.values(await metric('sallyport.record.duration'))).toEqual([1])
    expect(Object.values(await metric('sallyport.inbox.up'))).toEqual([1])
    expect(span('handle event').links).toHaveLength(1)
    expect(span('POST /webhooks/:provider').attributes).toBeDefined()
    await webhooks.stop()
    stats.mockClear()
    await metric('sallyport.inbox.up')
    expect(stats).not.toHaveBeenCalled()
  })

  it('names the part that failed, and continues', async () => {
    const database = createMemoryDatabase()
    const cause = new Error('unavailable')
    vi.spyOn(database.traffic(), 'add').mockRejectedValue(cause)
    const onError = vi.fn()
    const { webhooks } = open({ database, onError })
    expect((await hosts['fetch']!(webhooks)).status).toBe(200)
    await webhooks.stop()
    expect(onError.mock.calls).toEqual([[cause, 'traffic']])
  })

  it('shows kept deliveries until they are deleted, after their keeping was turned off', async () => {
    const database = createMemoryDatabase()
    const options = { database, encryptionKeys: [Buffer.alloc(32, 1).toString('base64')] }
    const before = open(options).webhooks
    await before.fetch(
      new Request('https://hooks.example.com/webhooks/doorbell', { method: 'POST', body: '{}' }),
    )
    await before.stop()
    vi.useFakeTimers({ now: Date.now() + 1 })
    try {
      const { webhooks } = open({ ...options, unprocessed: false })
      await webhooks.fetch(
        new Request('https://hooks.example.com/webhooks/doorbell', { method: 'POST', body: '{}' }),
      )
      expect(await webhooks.operations.unprocessed?.count({})).toBe(1)
      await vi.advanceTimersByTimeAsync(3_600_000)
      expect(await webhooks.operations.unprocessed?.count({})).toBe(0)
      await webhooks.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('deletes expired rows of every store once an hour', async () => {
    const database = createMemoryDatabase()
    const day = 86_400_000
    const prunes = [database.traffic(), database.audit(), database.endpoints()].map((store) =>
      vi.spyOn(store, 'prune'),
    )
    vi.useFakeTimers({ now: 100 * day })
    try {
      const own = vi.fn(() => Promise.resolve())
      const { webhooks } = open({ database, retention: { auditForMs: 30 * day, tasks: [own] } })
      await vi.advanceTimersByTimeAsync(3_600_000)
      await webhooks.stop()
      const now = 100 * day + 3_600_000
      expect(own.mock.calls).toEqual([[now]])
      expect(prunes.map(({ mock }) => mock.calls)).toEqual([
        [[now - 16 * day]],
        [[now - 30 * day]],
        [[now - 90 * day]],
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  it('types handlers by the providers', () => {
    const database = createMemoryDatabase()
    createWebhooks({
      providers: [doorbell],
      secrets,
      database,
      on: {
        'doorbell/bell.rung': ({ data }) => {
          expectTypeOf(data).toEqualTypeOf<{ door: string }>()
        },
      },
    })
    createWebhooks({
      providers: [doorbell],
      secrets,
      database,
      // @ts-expect-error the doorbell has no such event
      on: { 'doorbell/bell.stolen': () => undefined },
    })
  })
})
