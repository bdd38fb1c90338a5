import { ProduceAcks, type Message, type Producer } from '@platformatic/kafka'
import { defaultCompression, type ConnectionOptions } from './bus.ts'
import { isTooLarge } from './failure.ts'
import { findPartitions, type Topic } from './topic.ts'

/**
 * Stores a message with the reason and its position in a topic of dead letters. A message that is too large for the topic is
 * stored without its value.
 */
export async function storeDeadLetter(
  producer: Producer,
  connection: ConnectionOptions,
  target: Topic,
  { partition, offset, key, value, headerEntries }: Message,
  reason: string,
): Promise<void> {
  await findPartitions(producer, connection, target)
  const added = Object.entries({ reason, partition: String(partition), offset: String(offset) })
  const headers = new Map([
    ...headerEntries,
    ...added.map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const),
  ])
  const message = { topic: target.topic, key, headers }
  const settings = { acks: ProduceAcks.ALL, compression: defaultCompression } as const
  try {
    await producer.send({ messages: [{ ...message, value }], ...settings })
  } catch (error) {
    if (!isTooLarge(error)) throw error
    await producer.send({ messages: [message], ...settings })
  }
}
