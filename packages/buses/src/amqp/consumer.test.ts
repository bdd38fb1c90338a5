import { setTimeout as sleep } from 'node:timers/promises'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { testConsumer } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createEvent, withChannel } from '../../test/amqp/fresh.ts'
import { openAmqp } from './index.ts'

describeWith('rabbitmq', (server) => {
  testConsumer(
    { describe, expect, it },
    {
      // The server drops an event that no queue is bound for.
      retains: false,
      create() {
        const { url } = server()
        const exchange = server().freshName()
        const amqp = openAmqp({ url })
        const queues = new Set<string>()
        return {
          publisher: amqp.bus({ exchange }),
          publishText: (text) =>
            withChannel(url, async (channel) => {
              channel.publish(exchange, 'text', Buffer.from(text))
              // The end of the connection alone may overtake the message.
              await channel.close()
            }),
          createConsumer(options) {
            for (const suffix of ['', '.dead']) queues.add(`${exchange}.${options.name}${suffix}`)
            return amqp.consumer({ ...options, exchange })
          },
          countDeadLetters: (consumer, reason) =>
            withChannel(url, async (channel) => {
              let count = 0
              for (;;) {
                const message = await channel.get(`${exchange}.${consumer}.dead`)
                if (message === false) return count
                if (message.properties.headers?.['sallyport-reason'] === reason) count++
              }
            }),
          async close() {
            await amqp.close()
            await withChannel(url, async (channel) => {
              for (const queue of queues) await channel.deleteQueue(queue)
            })
          },
        }
      },
    },
  )

  it('handles the events of a subject again after its last attempt lost the connection', async () => {
    const { url } = server()
    const exchange = server().freshName()
    const queue = `${exchange}.one`
    const port = await unusedPort()
    let proxy = await openProxy(url, port)
    const amqp = openAmqp({ url: proxy.url, retryMs: 20 })
    const direct = openAmqp({ url })
    const attempted: string[] = []
    const dead: string[] = []
    const failed = Promise.withResolvers<undefined>()
    const consumer = amqp.consumer({
      ...{ name: 'one', exchange, attempts: 2, backoff: { baseMs: 20 } },
      handlers: {
        'doorbell/bell.rung': async ({ id }: { id: string }) => {
          attempted.push(id)
          if (attempted.length > 2) return
          if (attempted.length === 2) {
            await proxy.close()
            failed.resolve(undefined)
          }
          throw new Error('not yet')
        },
      },
      onDeadLetter: (reason) => dead.push(reason),
    })
    await consumer.start()
    const { signal } = new AbortController()
    await direct.bus({ exchange }).publish([createEvent('doorbell:1'), createEvent('doorbell:2')], signal)
    await failed.promise
    await sleep(50)
    proxy = await openProxy(url, port)
    await expect
      .poll(() => attempted, { timeout: 10_000 })
      .toEqual([...Array<string>(3).fill('doorbell:1'), 'doorbell:2'])
    await consumer.stop()
    expect(dead).toEqual([])
    await Promise.all([amqp.close(), direct.close()])
    await proxy.close()
    await withChannel(url, async (channel) => {
      for (const name of [queue, `${queue}.dead`]) await channel.deleteQueue(name)
    })
  })
})
