import type { Redis as Client } from 'ioredis'
import { SallyportError } from '@sallyport/errors'
import { endSilence } from './end-silence.ts'
import { plainError } from './failure.ts'
import { Refused } from './refused.ts'
import { endReplica, isReadOnly, replicaAt } from './replica.ts'
import { SelectingClient } from './selecting-client.ts'
import type { ServerAddress } from './server-address.ts'
import { tell } from './tell.ts'

export interface ConnectionHooks {
  /**
   * Told once when the server does not answer, at the start too, or is gone; and when that turns into a refusal of the
   * database or of writes, or back.
   */
  readonly onUnavailable?: (error: unknown) => unknown
  /** Told when it answers, for the first time or again. */
  readonly onAvailable?: () => unknown
}

export interface Connection {
  /** Rejects while the server is away; waits for the end of the first attempt to connect, and for no other. */
  current(): Promise<Client>
  /** Resolves when the server answers and is no replica. */
  ping(): Promise<void>
  /** How long another one that is made of it may take to connect and to answer, in milliseconds. */
  readonly openMs: number
  /** Ends. */
  close(): void
}

export interface ConnectionTimes {
  readonly connectTimeoutMs: number
  readonly retryMs: number
  readonly timeoutMs: number
}

/** Connects in the background, for as long as it takes, and again whenever the connection is lost. */
export function openConnection(
  { place, options }: ServerAddress,
  { connectTimeoutMs, retryMs, timeoutMs }: ConnectionTimes,
  { onUnavailable, onAvailable }: ConnectionHooks,
): Connection {
  const attempted = Promise.withResolvers<undefined>()
  let told: 'away' | 'refused' | 'back' | undefined
  let closed = false
  let reason = new Error('The connection is lost')
  let failed: Client['stream'] | undefined

  const client = new SelectingClient({
    ...options,
    ...{ connectionName: 'sallyport', connectTimeout: connectTimeoutMs, commandTimeout: timeoutMs },
    retryStrategy: () => retryMs,
    // What failed is tried again by whoever asked for it, who has heard of it then.
    ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: null },
    reconnectOnError(error) {
      if (!isReadOnly(error)) return false
      reason = replicaAt(place)
      return true
    },
  })
  client.on('error', (error: unknown) => {
    // What fails after it on the same connection, or for want of it, is no reason but a consequence.
    if (client.stream === failed) return
    failed = client.stream
    reason = plainError(error)
  })
  client.on('close', () => {
    attempted.resolve(undefined)
    const news = reason instanceof Refused ? 'refused' : 'away'
    if (closed || told === news) return
    told = news
    tell(() => onUnavailable?.(reason))
  })
  client.on('ready', () => {
    attempted.resolve(undefined)
    reason = new Error('The connection is lost')
    failed = undefined
    endReplica(client, place).then(back, () => undefined)
  })
  function back(): void {
    // A connection that is ending, for a refusal that came meanwhile, is still called ready.
    if (closed || client.status !== 'ready' || !client.stream.writable) return
    told = 'back'
    tell(() => onAvailable?.())
  }
  const endWatch = endSilence(client, timeoutMs)

  async function current(): Promise<Client> {
    await attempted.promise
    if (closed)
      throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to Redis is closed: open another')
    if (client.status === 'ready') return client
    if (reason instanceof Refused) throw reason
    throw new SallyportError(
      'SERVICE_UNAVAILABLE',
      `Redis at ${place} does not answer: see whether it runs`,
      { cause: reason },
    )
  }

  return {
    openMs: connectTimeoutMs + timeoutMs,
    current,
    async ping() {
      const by = await current()
      await by.ping()
      await endReplica(by, place)
    },
    close() {
      closed = true
      attempted.resolve(undefined)
      endWatch()
      client.disconnect()
    },
  }
}
