import { describeWith } from '@sallyport/test-support/services'
import { connect } from 'amqplib'
import { expect, it } from 'vitest'
import { bindQueue, createEvent, drainIds } from '../../test/amqp/fresh.ts'
import { openAmqp } from './index.ts'

const { signal } = new AbortController()

describeWith('rabbitmq', (server) => {
  it('publishes on a connection of the application and leaves it open', async () => {
    const connection = await connect(server().url)
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const amqp = openAmqp({ connection: () => connection })
    const bus = amqp.bus({ exchange })
    await bus.ping()
    expect(await bus.publish([createEvent('doorbell:1')], signal)).toEqual([{ ok: true }])
    await amqp.close()
    const channel = await connection.createChannel()
    expect((await channel.checkQueue(exchange)).messageCount).toBe(1)
    await connection.close()
  })

  it('publishes on the new connection after the application has reconnected', async () => {
    let connection = await connect(server().url)
    const exchange = server().freshName()
    await bindQueue(server().url, exchange)
    const amqp = openAmqp({ connection: () => connection })
    const bus = amqp.bus({ exchange })
    const publish = (id: string) => bus.publish([createEvent(id)], signal)
    expect(await publish('doorbell:1')).toEqual([{ ok: true }])
    await connection.close()
    expect(await publish('doorbell:2')).toMatchObject([{ ok: false, retryable: true }])
    connection = await connect(server().url)
    expect(await publish('doorbell:2')).toEqual([{ ok: true }])
    expect(await drainIds(server().url, exchange)).toEqual(['doorbell:1', 'doorbell:2'])
    await amqp.close()
    await connection.close()
  })

  it('returns a retryable failure when the application has no connection', async () => {
    const amqp = openAmqp({ connection: () => Promise.reject(new Error('no connection')) })
    expect(await amqp.bus().publish([createEvent('doorbell:1')], signal)).toEqual([
      { ok: false, retryable: true, error: 'RabbitMQ: no connection' },
    ])
    await amqp.close()
  })
})
