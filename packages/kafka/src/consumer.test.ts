import { ProduceAcks, Producer } from '@platformatic/kafka'
import { describeWith } from '@sallyport/test-services'
import { testConsumer } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { readTopic } from '../test/read-topic.ts'
import { openKafka } from './index.ts'

describeWith('kafka', (server) => {
  let count = 0
  testConsumer(
    { describe, expect, it },
    {
      create() {
        const { url, topic: prefix } = server()
        const broker = new URL(url).host
        const topic = `${prefix}-consumed-${String(++count)}`
        const kafka = openKafka({ url })
        const producer = new Producer({ clientId: 'texts', bootstrapBrokers: [broker] })
        return {
          publisher: kafka.bus({ topic }),
          publishText: (text) =>
            producer.send({ messages: [{ topic, value: Buffer.from(text) }], acks: ProduceAcks.ALL }),
          createConsumer: (options) => kafka.consumer({ ...options, topic }),
          async countDeadLetters(consumer, reason) {
            const dead = await readTopic([broker], `${topic}.${consumer}.dead`)
            return dead.filter(({ headers }) => headers.get('reason') === reason).length
          },
          async close() {
            await producer.close()
            await kafka.close()
          },
        }
      },
    },
  )
})
