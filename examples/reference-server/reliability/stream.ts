import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/** The ids of everything in a stream of JetStream, in its order. */
export async function idsInStream(url: string, stream: string): Promise<string[]> {
  const client = await connect({ servers: new URL(url).host })
  try {
    const manager = await jetstreamManager(client)
    const { messages } = (await manager.streams.info(stream)).state
    const consumer = await manager.jetstream().consumers.get(stream)
    const ids: string[] = []
    while (ids.length < messages) {
      for await (const message of await consumer.fetch({
        max_messages: Math.min(1000, messages - ids.length),
      }))
        ids.push(message.json<{ id: string }>().id)
    }
    return ids
  } finally {
    await client.close()
  }
}
