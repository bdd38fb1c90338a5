import type { Cluster, Redis as Client } from 'ioredis'
import { SallyportError } from '@sallyport/errors'
import { createClosedError, type Connection } from './connection.ts'
import { createReplicaError, isReplica } from './replica.ts'

/** A client of the application. Both classes have the same commands. */
export type ExistingClient = Client | Cluster

/** Uses a client of the application, which `close` leaves open. */
export function useClient(client: ExistingClient): Connection {
  let closed = false
  const { isCluster } = client

  async function getClient(): Promise<Client> {
    if (closed) throw createClosedError()
    // A rejection also emits `close`, for which the caller waits.
    if (client.status === 'wait') client.connect().catch(() => undefined)
    if (connecting.has(client.status)) await untilSettled(client)
    if (client.status === 'ready') return client as Client
    throw new SallyportError(
      'SERVICE_UNAVAILABLE',
      `The client of Redis is not connected (${client.status}): check that the server is running`,
    )
  }

  return {
    isCluster,
    getClient,
    async ping() {
      const connected = await getClient()
      await connected.ping()
      if (isCluster || !(await isReplica(connected))) return
      const { host = 'localhost', port = 6379 } = connected.options
      throw createReplicaError(`${host}:${port}`)
    },
    close() {
      closed = true
    },
  }
}

/**
 * Describes a second connection like that of the client, for commands that wait. The first call opens it, and
 * `close` ends it.
 */
export function duplicateClient(client: ExistingClient, timeoutMs: number): Connection {
  let duplicate: ExistingClient | undefined
  let connection: Connection | undefined
  let closed = false
  function open(): Connection {
    if (closed) throw createClosedError()
    duplicate ??= duplicateOf(client, timeoutMs)
    return (connection ??= useClient(duplicate))
  }
  return {
    isCluster: client.isCluster,
    getClient: async () => open().getClient(),
    ping: async () => open().ping(),
    close() {
      closed = true
      duplicate?.disconnect()
    },
  }
}

function duplicateOf(client: ExistingClient, timeoutMs: number): ExistingClient {
  const options = { commandTimeout: timeoutMs, lazyConnect: false, maxRetriesPerRequest: null }
  const duplicate = isClusterClient(client)
    ? client.duplicate([], { redisOptions: { ...client.options.redisOptions, ...options } })
    : client.duplicate(options)
  // Callers receive the errors of their commands.
  duplicate.on('error', () => undefined)
  return duplicate
}

const isClusterClient = (client: ExistingClient): client is Cluster => client.isCluster

const connecting = new Set(['wait', 'connecting', 'connect'])

/** Resolves when the client has connected or an attempt to connect has failed. */
async function untilSettled(client: ExistingClient): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const events = ['ready', 'close', 'end']
  const settle = () => {
    resolve(undefined)
  }
  for (const event of events) client.on(event, settle)
  await promise
  for (const event of events) client.off(event, settle)
}
