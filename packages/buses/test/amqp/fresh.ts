import { connect, type Channel, type Message } from 'amqplib'
import type { WebhookEvent } from '@sallyport/webhooks'

export function createEvent(id: string, changes: Partial<WebhookEvent> = {}): WebhookEvent {
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

/** Runs `act` on a channel of a separate connection. */
export async function withChannel<Value>(
  url: string,
  act: (channel: Channel) => Promise<Value>,
): Promise<Value> {
  const client = await connect(url)
  try {
    const channel = await client.createChannel()
    // The operation itself also rejects.
    channel.on('error', () => undefined)
    return await act(channel)
  } finally {
    await client.close()
  }
}

/** Creates a durable exchange and a queue of the same name, bound by a pattern. */
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

/** Removes all ready messages from a queue and returns them in order. */
export async function drainMessages(url: string, queue: string): Promise<readonly Message[]> {
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

/** Removes all events from a queue and returns them in order. */
export async function drainEvents(url: string, queue: string): Promise<readonly WebhookEvent[]> {
  const messages = await drainMessages(url, queue)
  return messages.map(({ content }) => JSON.parse(content.toString()) as WebhookEvent)
}

/** Removes all events from a queue and returns their ids in order. */
export async function drainIds(url: string, queue: string): Promise<readonly string[]> {
  return (await drainEvents(url, queue)).map(({ id }) => id)
}
