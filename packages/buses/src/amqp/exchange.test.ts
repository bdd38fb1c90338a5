import { describeWith } from '@sallyport/test-support/services'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bindQueue, createEvent, drainIds, withChannel } from '../../test/amqp/fresh.ts'
import { openAmqp } from './index.ts'
import type { AmqpClient } from './amqp.ts'

const { signal } = new AbortController()
const retryable = (error: RegExp) => ({
  ...{ ok: false, retryable: true },
  error: expect.stringMatching(error) as string,
})

describeWith('rabbitmq', (server) => {
  let amqp: AmqpClient | undefined
  beforeAll(() => {
    amqp = openAmqp({ url: server().url, timeoutMs: 25_000 })
  })
  afterAll(() => amqp?.close())
  const opened = () => amqp!

  it('fails only the events of a batch that no queue is bound for', async () => {
    const exchange = server().freshName()
    await bindQueue(server().url, exchange, { pattern: 'doorbell.bell.rung' })
    const bus = opened().bus({ exchange })
    const names = ['bell.rung', 'door.opened', 'bell.rung', 'bell.#']
    const events = names.map((kind, index) => createEvent(`doorbell:${index}`, { name: `doorbell/${kind}` }))
    const nowhere = (key: string) =>
      retryable(new RegExp(`^RabbitMQ has no queue for ${key} on the exchange ${exchange}: bind one`))
    const results = await bus.publish(events, signal)
    expect(results).toEqual([
      { ok: true },
      nowhere('doorbell.door.opened'),
      { ok: true },
      nowhere('doorbell.bell._'),
    ])
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:0', 'doorbell:2'])
    const loose = opened().bus({ exchange, mandatory: false })
    expect(await loose.publish([events[1]!], signal)).toEqual([{ ok: true }])
  })

  it('creates a missing exchange, also after it was deleted', async () => {
    const exchange = server().freshName()
    const bus = opened().bus({ exchange })
    const publish = () => bus.publish([createEvent('doorbell:1')], signal)
    expect(await publish()).toEqual([retryable(/has no queue/)])
    await bindQueue(server().url, exchange)
    expect(await publish()).toEqual([{ ok: true }])
    await withChannel(server().url, (channel) => channel.deleteExchange(exchange))
    expect(await publish()).toEqual([retryable(/^RabbitMQ: .*NOT_FOUND - no exchange/)])
    expect(await publish()).toEqual([retryable(/has no queue/)])
    await bus.ping()
  })

  it('uses an existing exchange of another type', async () => {
    const exchange = server().freshName()
    await withChannel(server().url, async (channel) => {
      await channel.assertExchange(exchange, 'fanout', { durable: false })
      await channel.assertQueue(exchange)
      await channel.bindQueue(exchange, exchange, '')
    })
    const bus = opened().bus({ exchange })
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true }])
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:1'])
  })
})
