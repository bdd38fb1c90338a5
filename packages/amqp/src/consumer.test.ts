import { describeWith } from '@sallyport/test-services'
import { testConsumer } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { withChannel } from '../test/fresh.ts'
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
})
