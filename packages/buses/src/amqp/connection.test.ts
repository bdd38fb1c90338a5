import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it, vi } from 'vitest'
import { bindQueue, createEvent, drainIds } from '../../test/amqp/fresh.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describe('openAmqp', () => {
  it.each([
    ...['', 'localhost:5672', 'http://localhost', 'amqp://', 'nats://a-secret@localhost', 'amqp://a/b/c'],
    ...['amqp://a/b?heartbeat=1', 'amqp://a-secret%zz@localhost', 'amqp://localhost/%zz'],
  ])('rejects the URL %j without quoting it', (url) => {
    expect(() => openAmqp({ url })).toThrow(
      /^The URL of a RabbitMQ server must have the form amqp:\/\/host:5672\/vhost$/,
    )
  })

  it.each(['connectTimeoutMs', 'retryMs', 'timeoutMs', 'closeTimeoutMs'])(
    'rejects a %s out of range',
    (name) => {
      for (const time of [0, 800.8, NaN, Infinity])
        expect(() => openAmqp({ url: 'amqp://127.0.0.1', [name]: time })).toThrow(name)
    },
  )

  it('ignores a rejection of the onUnavailable hook', async () => {
    const port = await unusedPort()
    const onUnavailable = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('from the hook')))
    // An unhandled rejection fails the whole test run.
    const amqp = openAmqp({ url: `amqp://127.0.0.1:${port}`, retryMs: 5, onUnavailable })
    await expect(amqp.bus().ping()).rejects.toThrow('does not answer')
    expect(onUnavailable).toHaveBeenCalledOnce()
    await amqp.close()
  })

  it('names the address of an unavailable server without the password', async () => {
    const reported: unknown[] = []
    const port = await unusedPort()
    const amqp = openAmqp({
      url: `amqp://user:a-secret@127.0.0.1:${port}`,
      retryMs: 5,
      onUnavailable: (error) => reported.push(error),
    })
    const bus = amqp.bus()
    const results = await bus.publish([createEvent('doorbell:1'), createEvent('doorbell:2')], signal)
    const error = `RabbitMQ at 127.0.0.1:${port} does not answer: check that the server is running`
    const failure = { ok: false, retryable: true, error }
    expect(results).toEqual([failure, failure])
    await expect(bus.ping()).rejects.toThrow('does not answer')
    expect(reported.map(String)).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(JSON.stringify(reported)).not.toContain('a-secret')
    await amqp.close()
    await expect(bus.ping()).rejects.toThrow('closed')
    await expect(amqp.bus().ping()).rejects.toThrow('closed')
  })

  it('honors its timeouts and the abort signal when the server never responds', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(
      0,
      '127.0.0.1',
    )
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const url = `amqp://127.0.0.1:${port}`
    const patient = openAmqp({ url, connectTimeoutMs: 60_000, closeTimeoutMs: 50, timeoutMs: 50 })
    const late = { ok: false, retryable: true, error: 'RabbitMQ: the response timed out' }
    expect(await patient.bus().publish([createEvent('doorbell:1')], signal)).toEqual([late])
    const stop = new AbortController()
    const publishing = patient.bus().publish([createEvent('doorbell:1')], stop.signal)
    stop.abort()
    await expect(publishing).rejects.toThrow()
    await patient.close()

    const reported = Promise.withResolvers<unknown>()
    const amqp = openAmqp({ url, connectTimeoutMs: 50, onUnavailable: reported.resolve })
    expect(String(await reported.promise)).toContain('the response timed out')
    await amqp.close()
    // All connections are closed.
    await new Promise((resolve) => silent.close(resolve))
  })
})

describeWith('rabbitmq', (server) => {
  it('connects when the server becomes available and reconnects after a lost connection', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const port = await unusedPort()
    const reported: string[] = []
    const amqp = openAmqp({
      ...{ url: `amqp://127.0.0.1:${port}`, retryMs: 20 },
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    })
    const bus = amqp.bus({ exchange })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([{ ok: false }])

    const publish = (id: string) => bus.publish([createEvent(id)], signal)
    const proxy = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:1')).toEqual([{ ok: true }])
    await proxy.close()
    await expect.poll(() => reported).toEqual(['unavailable', 'available', 'unavailable'])
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    const again = await openProxy(server().url, port)
    await expect.poll(() => publish('doorbell:2')).toEqual([{ ok: true }])
    expect(reported).toEqual(['unavailable', 'available', 'unavailable', 'available'])
    await amqp.close()
    await again.close()
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
  })

  it('reports errors without a password or an event', async () => {
    const reported: unknown[] = []
    const amqp = openAmqp({
      url: server().url.replace('://', '://nobody:a-secret@'),
      onUnavailable: (error) => reported.push(error),
    })
    const bus = amqp.bus({ exchange: server().freshName() })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([
      { ok: false, retryable: true },
    ])
    await expect.poll(() => reported).toHaveLength(1)
    expect(String(reported[0])).toContain('ACCESS_REFUSED')
    await expect(bus.ping()).rejects.toThrow('rejects the credentials: check user and password')
    expect(JSON.stringify(reported, Object.getOwnPropertyNames(reported[0]))).not.toContain('a-secret')
    await amqp.close()
  })

  it('reports a missing virtual host and accepts the default one by name', async () => {
    const reported = Promise.withResolvers<unknown>()
    const amqp = openAmqp({ url: `${server().url}/${server().freshName()}`, onUnavailable: reported.resolve })
    expect(String(await reported.promise)).toContain('denies access to the virtual host')
    await expect(amqp.bus().ping()).rejects.toThrow('denies access to the virtual host')
    await amqp.close()
    const usual = openAmqp({ url: `${server().url}/%2F` })
    await usual.bus({ exchange: server().freshName() }).ping()
    await usual.close()
  })

  it('finishes running calls before it closes', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const amqp = openAmqp({ url: server().url, timeoutMs: 25_000, closeTimeoutMs: 25_000 })
    const bus = amqp.bus({ exchange })
    await bus.ping()
    const publishing = bus.publish([createEvent('doorbell:1')], signal)
    await amqp.close()
    expect(await publishing).toEqual([{ ok: true }])
  })
})
