import type { RedisConnection } from '@sallyport/test-services'
import type { InternalEvent } from '@sallyport/webhooks'
import { Redis as Client } from 'ioredis'

let names = 0

/** A name that nothing is under, of the suite that this is the connection of. */
export const freshName = ({ name }: RedisConnection) => `${name}-${names++}`

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

/** Acts with a client of its own, which shares nothing with what is tested. */
export async function withClient<Value>(
  url: string,
  act: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = new Client(url)
  try {
    return await act(client)
  } finally {
    client.disconnect()
  }
}

/** Everything that is in a stream, in its order. */
export async function contentOf(url: string, stream: string): Promise<readonly Record<string, string>[]> {
  const entries = await withClient(url, (client) => client.xrange(stream, '-', '+'))
  return entries.map(([, fields]) =>
    Object.fromEntries(fields.flatMap((field, at) => (at % 2 === 0 ? [[field, fields[at + 1] ?? '']] : []))),
  )
}

/** The events in a stream, in its order. */
export async function eventsIn(url: string, stream: string): Promise<readonly InternalEvent[]> {
  return (await contentOf(url, stream)).map(({ event = '' }) => JSON.parse(event) as InternalEvent)
}

/** The ids of the events in a stream, in its order. */
export async function idsIn(url: string, stream: string): Promise<readonly string[]> {
  return (await eventsIn(url, stream)).map(({ id }) => id)
}
