import { describeWith } from '@sallyport/test-services'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bindQueue, eventOf, idsIn, withChannel } from '../test/fresh.ts'
import { openAmqp, type Amqp } from './index.ts'

const { signal } = new AbortController()
const retryable = (error: RegExp) => ({
  ...{ ok: false, retryable: true },
  error: expect.stringMatching(error) as string,
})

describeWith('rabbitmq', (server) => {
  let amqp: Amqp | undefined
  beforeAll(() => {
    amqp = openAmqp({ url: server().url, timeoutMs: 25_000 })
  })
  afterAll(() => amqp?.close())
  const opened = () => amqp!

  it('tells apart, in one batch, what a queue took and what none is bound for', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange, { pattern: 'doorbell.bell.rung' })
    const bus = opened().bus({ exchange })
    const names = ['bell.rung', 'door.opened', 'bell.rung', 'bell.#']
    const events = names.map((kind, index) => eventOf(`doorbell:${index}`, { name: `doorbell/${kind}` }))
    const nowhere = (key: string) =>
      retryable(new RegExp(`^RabbitMQ has no queue for ${key} on the exchange ${exchange}: bind one`))
    const results = await bus.publish(events, signal)
    expect(results).toEqual([
      { ok: true },
      nowhere('doorbell.door.opened'),
      { ok: true },
      nowhere('doorbell.bell._'),
    ])
    expect(await idsIn(server().url, exchange)).toEqual(['doorbell:0', 'doorbell:2'])
    const loose = opened().bus({ exchange, mandatory: false })
    expect(await loose.publish([events[1]!], signal)).toEqual([{ ok: true }])
  })

  it('makes the exchange when it is missing, again too', async () => {
    const exchange = server().freshName()
    const bus = opened().bus({ exchange })
    const publish = () => bus.publish([eventOf('doorbell:1')], signal)
    expect(await publish()).toEqual([retryable(/has no queue/)])
    await bindQueue(server().url, exchange)
    expect(await publish()).toEqual([{ ok: true }])
    await withChannel(server().url, (channel) => channel.deleteExchange(exchange))
    expect(await publish()).toEqual([retryable(/^RabbitMQ: .*NOT_FOUND - no exchange/)])
    expect(await publish()).toEqual([retryable(/has no queue/)])
    await bus.ping()
  })

  it('uses an exchange of another kind as it is', async () => {
    const exchange = server().freshName()
    await withChannel(server().url, async (channel) => {
      await channel.assertExchange(exchange, 'fanout', { durable: false })
      await channel.assertQueue(exchange)
      await channel.bindQueue(exchange, exchange, '')
    })
    const bus = opened().bus({ exchange })
    expect(await bus.publish([eventOf('doorbell:1')], signal)).toEqual([{ ok: true }])
    expect(await idsIn(server().url, exchange)).toEqual(['doorbell:1'])
  })
})
