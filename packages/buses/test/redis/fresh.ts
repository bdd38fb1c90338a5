import type { RedisTestServer } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { Redis as Client } from 'ioredis'

let names = 0

/** Returns an unused name within the suite. */
export const freshName = ({ name }: RedisTestServer) => `${name}-${names++}`

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
export async function withClient<Value>(
  url: string,
  act: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = new Client(url)
  // The server may still be starting.
  client.on('error', () => undefined)
  try {
    return await act(client)
  } finally {
    client.disconnect()
  }
}

/** Reads all entries of a stream in order. */
export async function readStream(url: string, stream: string): Promise<readonly Record<string, string>[]> {
  const entries = await withClient(url, (client) => client.xrange(stream, '-', '+'))
  return entries.map(([, fields]) =>
    Object.fromEntries(fields.flatMap((field, at) => (at % 2 === 0 ? [[field, fields[at + 1] ?? '']] : []))),
  )
}

/** Reads the events of a stream in order. */
export async function readEvents(url: string, stream: string): Promise<readonly WebhookEvent[]> {
  return (await readStream(url, stream)).map(({ event = '' }) => JSON.parse(event) as WebhookEvent)
}

/** Reads the ids of the events of a stream in order. */
export async function readIds(url: string, stream: string): Promise<readonly string[]> {
  return (await readEvents(url, stream)).map(({ id }) => id)
}
