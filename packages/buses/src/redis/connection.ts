import type { Redis as Client } from 'ioredis'
import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'
import type { ClientHooks } from '../client/options.ts'
import { ServerRefusal, toPlainError } from './failure.ts'
import { createReplicaError, isReadOnly, rejectReplica } from './replica.ts'
import { SelectingClient } from './selecting-client.ts'
import type { ServerAddress } from './server-address.ts'
import { startWatchdog } from './watchdog.ts'

export interface Connection {
  /** Returns the connected client. Waits for the first attempt to connect; rejects while the server is unavailable. */
  getClient(): Promise<Client>
  /** Resolves if the server responds and is not a replica. */
  ping(): Promise<void>
  /** Whether all keys of a command or script must have the same hash tag. */
  readonly isCluster: boolean
  /** Disconnects without waiting for responses. */
  close(): void
}

export interface ConnectionTimes {
  readonly connectTimeoutMs: number
  readonly retryMs: number
  readonly timeoutMs: number
}

export const createClosedError = () =>
  new SallyportError('SERVICE_UNAVAILABLE', 'The connection to Redis is closed: open another')

/** Connects in the background and reconnects whenever the connection is lost. */
export function openConnection(
  { hostAndPort, options }: ServerAddress,
  { connectTimeoutMs, retryMs, timeoutMs }: ConnectionTimes,
  { onUnavailable, onAvailable }: ClientHooks,
): Connection {
  const attempted = Promise.withResolvers<undefined>()
  let reported: 'unavailable' | 'refused' | 'available' | undefined
  let closed = false
  let reason = new Error('The connection is lost')
  let failed: Client['stream'] | undefined

  const client = new SelectingClient({
    ...options,
    ...{ connectionName: 'sallyport', connectTimeout: connectTimeoutMs, commandTimeout: timeoutMs },
    retryStrategy: () => retryMs,
    // The caller has already received the error of a failed command, so ioredis must not resend it.
    ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: null },
    reconnectOnError(error) {
      if (!isReadOnly(error)) return false
      reason = createReplicaError(hostAndPort)
      return true
    },
  })
  client.on('error', (error: unknown) => {
    // Later errors on the same connection are consequences of the first one.
    if (client.stream === failed) return
    failed = client.stream
    reason = toPlainError(error)
  })
  client.on('close', () => {
    attempted.resolve(undefined)
    const state = reason instanceof ServerRefusal ? 'refused' : 'unavailable'
    if (closed || reported === state) return
    reported = state
    callHook(onUnavailable, reason)
  })
  client.on('ready', () => {
    attempted.resolve(undefined)
    reason = new Error('The connection is lost')
    failed = undefined
    rejectReplica(client, hostAndPort).then(reportAvailable, () => undefined)
  })
  function reportAvailable(): void {
    // ioredis still reports `ready` while a refused connection is ending.
    if (closed || client.status !== 'ready' || !client.stream.writable) return
    reported = 'available'
    callHook(onAvailable)
  }
  const stopWatchdog = startWatchdog(client, timeoutMs)

  async function getClient(): Promise<Client> {
    await attempted.promise
    if (closed) throw createClosedError()
    if (client.status === 'ready') return client
    if (reason instanceof ServerRefusal) throw reason
    throw new SallyportError(
      'SERVICE_UNAVAILABLE',
      `Redis at ${hostAndPort} does not answer: check that the server is running`,
      { cause: reason },
    )
  }

  return {
    isCluster: false,
    getClient,
    async ping() {
      const connected = await getClient()
      await connected.ping()
      await rejectReplica(connected, hostAndPort)
    },
    close() {
      closed = true
      attempted.resolve(undefined)
      stopWatchdog()
      client.disconnect()
    },
  }
}
