import { describeWith } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { bindQueue, eventOf, idsIn } from '../test/fresh.ts'
import { openFreezer } from '../test/freezer.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describeWith('rabbitmq', (server) => {
  it('waits no longer than it is told for a server that confirms nothing any more', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const freezer = await openFreezer(server().url)
    const patient = openAmqp({ url: freezer.url, timeoutMs: 25_000 })
    const hasty = openAmqp({ url: freezer.url, timeoutMs: 200, closeTimeoutMs: 200 })
    const [bus, hastyBus] = [patient.bus({ exchange }), hasty.bus({ exchange })]
    await expect.poll(() => hastyBus.publish([eventOf('doorbell:1')], signal)).toEqual([{ ok: true }])
    await bus.ping()

    freezer.freeze()
    // More than the sockets and the channel take up together, so that the rest is not even sent.
    const batch = Array.from({ length: 400 }, (_, index) =>
      eventOf(`doorbell:large:${index}`, { data: 'x'.repeat(100_000) }),
    )
    const late = { ok: false, retryable: true, error: 'RabbitMQ: no answer came in time' }
    expect(await hastyBus.publish(batch, signal)).toEqual(batch.map(() => late))
    await expect(hastyBus.ping()).rejects.toThrow('no answer came in time')
    await hasty.close()

    const stop = new AbortController()
    const publishing = bus.publish([eventOf('doorbell:2')], stop.signal)
    stop.abort(new Error('told to stop'))
    await expect(publishing).rejects.toThrow('told to stop')
    freezer.thaw()
    await expect.poll(() => bus.publish([eventOf('doorbell:3')], signal)).toEqual([{ ok: true }])
    await patient.close()
    freezer.close()
    const ids = await idsIn(server().url, exchange)
    expect([ids.includes('doorbell:1'), ids.includes('doorbell:3')]).toEqual([true, true])
    expect(ids.filter((id) => id.startsWith('doorbell:large')).length).toBeLessThan(batch.length)
  })
})
