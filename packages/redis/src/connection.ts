import { Redis as Client } from 'ioredis'
import { SallyportError } from '@sallyport/errors'
import { plainError } from './failure.ts'
import type { ServerAddress } from './server-address.ts'

export interface ConnectionHooks {
  /** Told once when the server does not answer, at the start too, or is gone. */
  readonly onAway?: (error: unknown) => unknown
  /** Told when it answers, for the first time or again. */
  readonly onBack?: () => unknown
}

export interface Connection {
  /** Rejects while the server is away; waits for the end of the first attempt to connect, and for no other. */
  current(): Promise<Client>
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
  { onAway, onBack }: ConnectionHooks,
): Connection {
  const attempted = Promise.withResolvers<undefined>()
  let told: 'away' | 'back' | undefined
  let closed = false
  let reason = new Error('The connection is lost')

  const client = new Client({
    ...options,
    ...{ connectionName: 'sallyport', connectTimeout: connectTimeoutMs, commandTimeout: timeoutMs },
    retryStrategy: () => retryMs,
    // What failed is tried again by whoever asked for it, who has heard of it then.
    ...{ enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: null },
  })
  client.on('error', (error: unknown) => {
    reason = plainError(error)
  })
  client.on('close', () => {
    attempted.resolve(undefined)
    if (closed || told === 'away') return
    told = 'away'
    tell(() => onAway?.(reason))
  })
  client.on('ready', () => {
    attempted.resolve(undefined)
    reason = new Error('The connection is lost')
    told = 'back'
    tell(() => onBack?.())
  })

  return {
    async current() {
      await attempted.promise
      if (closed)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to Redis is closed: open another')
      if (client.status !== 'ready')
        throw new SallyportError(
          'SERVICE_UNAVAILABLE',
          `Redis at ${place} does not answer: see whether it runs`,
          {
            cause: reason,
          },
        )
      return client
    },
    close() {
      closed = true
      attempted.resolve(undefined)
      client.disconnect()
    },
  }
}

/** Somebody else's mistake does not end the connection, nor the process. */
function tell(hook: () => unknown): void {
  // It is not ours to report.
  new Promise((resolve) => {
    resolve(hook())
  }).catch(() => undefined)
}
