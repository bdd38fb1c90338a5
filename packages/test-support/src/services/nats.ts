import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection as Client } from '@nats-io/transport-node'
import type { Service } from './service.ts'

/** A NATS server and a stream prefix that is unique to the suite. */
export interface NatsTestServer {
  /** `nats://…` */
  readonly url: string
  /** Prefix of the suite's streams. The streams with this prefix are deleted after the suite. */
  readonly stream: string
}

const serverUrl = process.env['TEST_NATS_URL'] ?? 'nats://127.0.0.1:4222'

/** NATS with JetStream at `TEST_NATS_URL`. */
export const nats: Service<NatsTestServer> = {
  title: 'NATS',
  hint: 'start nats-server -js on 127.0.0.1:4222, or set TEST_NATS_URL',

  async probe() {
    // Checks for JetStream, not only for a server.
    await onServer(async (client) => {
      await jetstreamManager(client)
    })
  },

  open() {
    const stream = `SALLYPORT_TEST_${randomBytes(8).toString('hex').toUpperCase()}`
    return Promise.resolve({
      connection: { url: serverUrl, stream },
      close: () =>
        onServer(async (client) => {
          const { streams } = await jetstreamManager(client)
          for await (const name of streams.names()) {
            if (name.startsWith(stream)) await streams.delete(name)
          }
        }),
    })
  },
}

async function onServer(act: (client: Client) => Promise<void>): Promise<void> {
  const client = await connect({ servers: new URL(serverUrl).host, timeout: 3000, reconnect: false })
  try {
    await act(client)
  } finally {
    await client.close()
  }
}
