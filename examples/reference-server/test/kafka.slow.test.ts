import { randomUUID } from 'node:crypto'
import { Consumer, MessagesStreamModes } from '@platformatic/kafka'
import { describeWith } from '@sallyport/test-support/services'
import { testBus } from './bus-suite.ts'

/** Reads the ids in a topic, which has one message at most. */
async function readIds(url: string, topic: string): Promise<readonly unknown[]> {
  const consumer = new Consumer({
    ...{ clientId: 'reader', groupId: randomUUID(), bootstrapBrokers: [new URL(url).host] },
  })
  try {
    const offsets = await consumer.listOffsets({ topics: [topic] })
    const ids: string[] = []
    if (offsets.get(topic)?.every((offset) => offset === 0n) !== false) return ids
    const mode = MessagesStreamModes.EARLIEST
    for await (const { headers } of await consumer.consume({ topics: [topic], mode, maxWaitTime: 100 })) {
      for (const [name, value] of headers) if (name.toString() === 'ce_id') ids.push(value.toString())
      break
    }
    return ids
  } finally {
    await consumer.close(true)
  }
}

describeWith('kafka', (kafka) => {
  const open = () => {
    const { url, topic: prefix } = kafka()
    const topic = `${prefix}-${randomUUID().slice(0, 8)}`
    return Promise.resolve({ url: `${url}/${topic}`, ids: () => readIds(url, topic) })
  }

  testBus(open, { hasQueue: false })
})
