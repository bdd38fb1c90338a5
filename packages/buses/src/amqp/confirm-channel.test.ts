import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { bindQueue, createEvent, drainIds } from '../../test/amqp/fresh.ts'
import { openPausableProxy } from '../../test/amqp/pausable-proxy.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describeWith('rabbitmq', (server) => {
  it('limits unconfirmed messages while the server confirms nothing, and publishes afterwards', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const proxy = await openPausableProxy(server().url)
    const amqp = openAmqp({ url: proxy.url, timeoutMs: 2000 })
    const bus = amqp.bus({ exchange })
    await expect.poll(() => bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true }])

    proxy.pauseResponses()
    const late = { ok: false, retryable: true, error: 'RabbitMQ: the response timed out' }
    const batch = Array.from({ length: 12_000 }, (_, index) => createEvent(`doorbell:late:${index}`))
    expect(await bus.publish(batch, signal)).toEqual(batch.map(() => late))

    proxy.resume()
    const publishing = () => bus.publish([createEvent('doorbell:2')], signal)
    await expect.poll(publishing).toEqual([{ ok: true }])
    await amqp.close()
    proxy.close()
    const ids = await drainIds(server().url, exchange)
    expect([ids[0], ids.at(-1)]).toEqual(['doorbell:1', 'doorbell:2'])
    expect(ids.filter((id) => id.startsWith('doorbell:late')).length).toBeLessThanOrEqual(10_000)
  })
})
