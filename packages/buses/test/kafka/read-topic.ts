import { Consumer, MessagesStreamModes, type Message } from '@platformatic/kafka'
import type { WebhookEvent } from '@sallyport/webhooks'

let groups = 0

/** Reads all messages of a topic. */
export async function readTopic(
  brokers: readonly string[],
  topic: string,
): Promise<readonly Message<string, string, string, string>[]> {
  const decode = (data?: Buffer) => String(data)
  const consumer = new Consumer({
    clientId: 'reader',
    groupId: `${topic}-${String(++groups)}`,
    bootstrapBrokers: [...brokers],
    deserializers: { key: decode, value: decode, headerKey: decode, headerValue: decode },
  })
  try {
    const offsets = await consumer.listOffsets({ topics: [topic] })
    const total = offsets.get(topic)?.reduce((sum, offset) => sum + Number(offset), 0) ?? 0
    const messages: Message<string, string, string, string>[] = []
    if (total === 0) return messages
    const mode = MessagesStreamModes.EARLIEST
    for await (const message of await consumer.consume({ topics: [topic], mode, maxWaitTime: 100 })) {
      messages.push(message)
      if (messages.length === total) break
    }
    return messages
  } finally {
    await consumer.close()
  }
}

/** Creates an event of the provider `doorbell`. */
export function createEvent(id: string, rest: Partial<WebhookEvent> = {}): WebhookEvent {
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 5 }
  return {
    id,
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: Date.UTC(2026, 0),
    data: {},
    source,
    ...rest,
  }
}
