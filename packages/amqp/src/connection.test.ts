import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { describe, expect, it, vi } from 'vitest'
import { bindQueue, eventOf, idsIn } from '../test/fresh.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describe('openAmqp', () => {
  it.each([
    ...['', 'localhost:5672', 'http://localhost', 'amqp://', 'nats://a-secret@localhost', 'amqp://a/b/c'],
    ...['amqp://a/b?heartbeat=1', 'amqp://a-secret%zz@localhost', 'amqp://localhost/%zz'],
  ])('takes no %j, and does not quote it', (url) => {
    expect(() => openAmqp({ url })).toThrow(
      /^The address of a RabbitMQ server reads like amqp:\/\/host:5672\/vhost$/,
    )
  })

  it.each(['connectTimeoutMs', 'retryMs', 'timeoutMs', 'closeTimeoutMs'])(
    'takes no %s that a timer cannot keep',
    (name) => {
      for (const time of [0, 800.8, NaN, Infinity])
        expect(() => openAmqp({ url: 'amqp://127.0.0.1', [name]: time })).toThrow(name)
    },
  )

  it('goes on when whoever is told of an outage rejects', async () => {
    const port = await unusedPort()
    const onUnavailable = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('not told')))
    // A rejection that nobody handles fails the whole run.
    const amqp = openAmqp({ url: `amqp://127.0.0.1:${port}`, retryMs: 5, onUnavailable })
    await expect(amqp.bus().ping()).rejects.toThrow('does not answer')
    expect(onUnavailable).toHaveBeenCalledOnce()
    await amqp.close()
  })

  it('says where nobody answers, without the password', async () => {
    const told: unknown[] = []
    const port = await unusedPort()
    const amqp = openAmqp({
      url: `amqp://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => told.push(error),
    })
    const bus = amqp.bus()
    const results = await bus.publish([eventOf('doorbell:1'), eventOf('doorbell:2')], signal)
    const error = `RabbitMQ at 127.0.0.1:${port} does not answer: see whether it runs`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    expect(told.map(String)).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(JSON.stringify(told)).not.toContain('a-secret')
    await amqp.close()
    await expect(bus.ping()).rejects.toThrow('closed')
    await expect(amqp.bus().ping()).rejects.toThrow('closed')
  })

  it('waits no longer than it is told for a server that says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const url = `amqp://127.0.0.1:${port}`
    const patient = openAmqp({ url, connectTimeoutMs: 60_000, closeTimeoutMs: 50, timeoutMs: 50 })
    const late = { ok: false, retryable: true, error: 'RabbitMQ: no answer came in time' }
    expect(await patient.bus().publish([eventOf('doorbell:1')], signal)).toEqual([late])
    const stop = new AbortController()
    const publishing = patient.bus().publish([eventOf('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await patient.close()

    const told = Promise.withResolvers<unknown>()
    const amqp = openAmqp({ url, connectTimeoutMs: 50, onUnavailable: told.resolve })
    expect(String(await told.promise)).toContain('no answer came in time')
    await amqp.close()
    // Nobody is left on the other side.
    await new Promise((resolve) => silent.close(resolve))
  })
})

describeWith('rabbitmq', (server) => {
  it('connects once the server answers, and again when the connection was lost', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const port = await unusedPort()
    const told: string[] = []
    const amqp = openAmqp({
      ...{ url: `amqp://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => told.push('away'),
      onAvailable: () => told.push('back'),
    })
    const bus = amqp.bus({ exchange })
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false }])

    const publish = (id: string) => bus.publish([eventOf(id)], signal)
    const proxy = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:1')).toEqual([{ ok: true }])
    await proxy.close()
    await expect.poll(() => told).toEqual(['away', 'back', 'away'])
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    const again = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:2')).toEqual([{ ok: true }])
    expect(told).toEqual(['away', 'back', 'away', 'back'])
    await amqp.close()
    await again.close()
    expect(await idsIn(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('tells nobody a password or an event in its errors', async () => {
    const told: unknown[] = []
    const amqp = openAmqp({
      url: server().url.replace('://', '://nobody:a-secret@'),
      onUnavailable: (error) => told.push(error),
    })
    const bus = amqp.bus({ exchange: server().freshName() })
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toMatchObject([{ ok: false, retryable: true }])
    await expect.poll(() => told).toHaveLength(1)
    expect(String(told[0])).toContain('ACCESS_REFUSED')
    await expect(bus.ping()).rejects.toThrow('refuses us: see user and password')
    expect(JSON.stringify(told, Object.getOwnPropertyNames(told[0]))).not.toContain('a-secret')
    await amqp.close()
  })

  it('says that a virtual host is missing, and takes the usual one by its name', async () => {
    const told = Promise.withResolvers<unknown>()
    const amqp = openAmqp({ url: `${server().url}/${server().freshName()}`, onUnavailable: told.resolve })
    expect(String(await told.promise)).toContain('refuses us its virtual host')
    await expect(amqp.bus().ping()).rejects.toThrow('refuses us its virtual host')
    await amqp.close()
    const usual = openAmqp({ url: `${server().url}/%2F` })
    await usual.bus({ exchange: server().freshName() }).ping()
    await usual.close()
  })

  it('finishes what is under way before it ends', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const amqp = openAmqp({ url: server().url, timeoutMs: 25_000, closeTimeoutMs: 25_000 })
    const bus = amqp.bus({ exchange })
    await bus.ping()
    const publishing = bus.publish([eventOf('doorbell:1')], signal)
    await amqp.close()
    expect(await publishing).toEqual([{ ok: true }])
  })
})
