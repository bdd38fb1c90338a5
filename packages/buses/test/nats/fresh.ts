import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { NatsTestServer } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'

let names = 0

/** Returns the name of an unused stream within the suite. */
export const freshName = ({ stream }: NatsTestServer) => `${stream}_${names++}`

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

/** Runs `act` with a separate client. */
export async function withManager<Value>(
  url: string,
  act: (manager: JetStreamManager) => Promise<Value>,
): Promise<Value> {
  const client = await connect({ servers: new URL(url).host })
  try {
    return await act(await jetstreamManager(client))
  } finally {
    await client.close()
  }
}

export interface Stored {
  readonly subject: string
  readonly id: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Reads all messages of a stream in order. */
export async function readStream(url: string, stream: string): Promise<readonly Stored[]> {
  return withManager(url, async (manager) => {
    const { state } = await manager.streams.info(stream)
    const stored: Stored[] = []
    if (state.messages === 0) return stored
    const consumer = await manager.jetstream().consumers.get(stream)
    for await (const message of await consumer.fetch({ max_messages: state.messages })) {
      const { headers } = message
      const named = Object.fromEntries((headers?.keys() ?? []).map((key) => [key, headers?.get(key) ?? '']))
      const body = message.string()
      stored.push({
        ...{ subject: message.subject, body, headers: named },
        get id() {
          return (JSON.parse(body) as WebhookEvent).id
        },
      })
    }
    return stored
  })
}
