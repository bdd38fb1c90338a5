import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { bindQueue, createEvent, drainIds } from '../../test/amqp/fresh.ts'
import { openPausableProxy } from '../../test/amqp/pausable-proxy.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describeWith('rabbitmq', (server) => {
  it('honors its timeouts and the abort signal when the server stops confirming', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const proxy = await openPausableProxy(server().url)
    const patient = openAmqp({ url: proxy.url, timeoutMs: 25_000 })
    const hasty = openAmqp({ url: proxy.url, timeoutMs: 200, closeTimeoutMs: 200 })
    const [bus, hastyBus] = [patient.bus({ exchange }), hasty.bus({ exchange })]
    await expect.poll(() => hastyBus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true }])
    await bus.ping()

    proxy.pause()
    // The batch exceeds the buffers of the sockets and the channel, so a part is never sent.
    const batch = Array.from({ length: 400 }, (_, index) =>
      createEvent(`doorbell:large:${index}`, { data: 'x'.repeat(100_000) }),
    )
    const late = { ok: false, retryable: true, error: 'RabbitMQ: the response timed out' }
    expect(await hastyBus.publish(batch, signal)).toEqual(batch.map(() => late))
    await expect(hastyBus.ping()).rejects.toThrow('the response timed out')
    await hasty.close()

    const stop = new AbortController()
    const publishing = bus.publish([createEvent('doorbell:2')], stop.signal)
    stop.abort(new Error('stopped by the test'))
    await expect(publishing).rejects.toThrow('stopped by the test')
    proxy.resume()
    await expect.poll(() => bus.publish([createEvent('doorbell:3')], signal)).toEqual([{ ok: true }])
    await patient.close()
    proxy.close()
    const ids = await drainIds(server().url, exchange)
    expect([ids.includes('doorbell:1'), ids.includes('doorbell:3')]).toEqual([true, true])
    expect(ids.filter((id) => id.startsWith('doorbell:large')).length).toBeLessThan(batch.length)
  })
})
