import { connect, type Channel, type Message } from 'amqplib'
import type { InternalEvent } from '@sallyport/webhooks'

export function eventOf(id: string, changes: Partial<InternalEvent> = {}): InternalEvent {
  const source = { provider: 'doorbell', deliveryId: '', receivedAt: 0 }
  return {
    id,
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: 0,
    data: { door: 'front' },
    source,
    ...changes,
  }
}

/** Acts on a channel of its own connection, which shares nothing with what is tested. */
export async function withChannel<Value>(
  url: string,
  act: (channel: Channel) => Promise<Value>,
): Promise<Value> {
  const client = await connect(url)
  try {
    const channel = await client.createChannel()
    // Whoever asked for what the server refuses is told too.
    channel.on('error', () => undefined)
    return await act(channel)
  } finally {
    await client.close()
  }
}

/** Makes the durable exchange and queue of a name, and leads everything, or what a pattern says, into the queue. */
export async function bindQueue(
  url: string,
  name: string,
  { pattern = '#', ...settings }: { readonly pattern?: string; readonly [setting: string]: unknown } = {},
): Promise<void> {
  await withChannel(url, async (channel) => {
    await channel.assertExchange(name, 'topic', { durable: true })
    await channel.assertQueue(name, { durable: true, ...settings })
    await channel.bindQueue(name, name, pattern)
  })
}

/** Takes everything that is ready out of a queue, in its order. */
export async function messagesIn(url: string, queue: string): Promise<readonly Message[]> {
  return withChannel(url, async (channel) => {
    const { messageCount } = await channel.checkQueue(queue)
    const messages: Message[] = []
    const all = Promise.withResolvers<undefined>()
    if (messageCount === 0) return messages
    await channel.consume(
      queue,
      (message) => {
        if (message) messages.push(message)
        if (messages.length >= messageCount) all.resolve(undefined)
      },
      { noAck: true },
    )
    await all.promise
    return messages
  })
}

/** Takes the events out of a queue, in its order. */
export async function eventsIn(url: string, queue: string): Promise<readonly InternalEvent[]> {
  const messages = await messagesIn(url, queue)
  return messages.map(({ content }) => JSON.parse(content.toString()) as InternalEvent)
}

/** Takes the ids of the events out of a queue, in its order. */
export async function idsIn(url: string, queue: string): Promise<readonly string[]> {
  return (await eventsIn(url, queue)).map(({ id }) => id)
}
