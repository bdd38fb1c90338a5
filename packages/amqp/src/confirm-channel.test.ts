import { describeWith } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { openFreezer } from '../test/freezer.ts'
import { bindQueue, eventOf, idsIn } from '../test/fresh.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describeWith('rabbitmq', (server) => {
  it('sends no more than it can remember while the server answers for nothing, and goes on after that', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const freezer = await openFreezer(server().url)
    const amqp = openAmqp({ url: freezer.url, timeoutMs: 2000 })
    const bus = amqp.bus({ exchange })
    await expect.poll(() => bus.publish([eventOf('doorbell:1')], signal)).toEqual([{ ok: true }])

    freezer.freezeAnswers()
    const late = { ok: false, retryable: true, error: 'RabbitMQ: no answer came in time' }
    const batch = Array.from({ length: 12_000 }, (_, index) => eventOf(`doorbell:late:${index}`))
    expect(await bus.publish(batch, signal)).toEqual(batch.map(() => late))

    freezer.thaw()
    const publishing = () => bus.publish([eventOf('doorbell:2')], signal)
    await expect.poll(publishing).toEqual([{ ok: true }])
    await amqp.close()
    freezer.close()
    const ids = await idsIn(server().url, exchange)
    expect([ids[0], ids.at(-1)]).toEqual(['doorbell:1', 'doorbell:2'])
    expect(ids.filter((id) => id.startsWith('doorbell:late')).length).toBeLessThanOrEqual(10_000)
  })
})
