import type { SecureContextOptions } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type ChannelModel } from 'amqplib'
import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import { callHook } from '@sallyport/internal/promises'
import type { ClientHooks } from '../client/options.ts'
import { toPlainError } from './failure.ts'
import type { ServerAddress } from './server-address.ts'

export interface Connection {
  /** Returns the open connection. Waits for the first attempt to connect; rejects while the server is unavailable. */
  getConnection(): Promise<ChannelModel>
  /** Closes the connection, or destroys the socket when the signal is aborted first. */
  close(signal: AbortSignal): Promise<void>
}

export interface ConnectionSettings {
  readonly connectTimeoutMs: number
  readonly retryMs: number
  readonly tls: SecureContextOptions
}

/** A connection without traffic for two to three heartbeats counts as lost. */
const heartbeatSeconds = 10

/** Connects in the background and reconnects whenever the connection is lost. */
export function openConnection(
  { hostAndPort, options }: ServerAddress,
  { connectTimeoutMs, retryMs, tls }: ConnectionSettings,
  { onUnavailable, onAvailable }: ClientHooks,
): Connection {
  const closing = new AbortController()
  const attempted = Promise.withResolvers<undefined>()
  let connection: ChannelModel | undefined
  let socket = new AbortController()
  let reported: 'unavailable' | 'available' | undefined
  let problem: SallyportError | undefined

  function reportUnavailable(problemText: string, cause?: unknown): void {
    problem = new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ at ${hostAndPort} ${problemText}`, {
      cause,
    })
    if (closing.signal.aborted || reported === 'unavailable') return
    reported = 'unavailable'
    callHook(onUnavailable, cause ?? problem)
  }

  function reportAvailable(): void {
    problem = undefined
    if (closing.signal.aborted) return
    reported = 'available'
    callHook(onAvailable)
  }

  /** Resolves with the reason when the connection is lost. */
  function watch(opened: ChannelModel): Promise<Error> {
    const lost = Promise.withResolvers<Error>()
    let last: Error | undefined
    // Without a listener, Node.js would throw the error as uncaught.
    opened.on('error', (error: Error) => {
      last = error
    })
    opened.on('close', (error?: Error) => {
      lost.resolve(last ?? error ?? new Error('The connection is lost'))
    })
    opened.on('blocked', (reason: string) => {
      reportUnavailable('blocks publishers: free memory or disk space', toPlainError(new Error(reason)))
    })
    opened.on('unblocked', reportAvailable)
    return lost.promise
  }

  async function connectOnce(): Promise<void> {
    socket = new AbortController()
    const connecting = connect(
      { ...options, heartbeat: heartbeatSeconds },
      { ...tls, noDelay: true, keepAlive: true, ...{ signal: socket.signal } },
    )
    const watching = connecting.then(watch)
    watching.catch(() => undefined)
    connection = await untilAborted(connecting, AbortSignal.timeout(connectTimeoutMs))
    try {
      reportAvailable()
      attempted.resolve(undefined)
      throw await watching
    } finally {
      connection = undefined
    }
  }

  async function reconnectUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      await connectOnce().catch((error: unknown) => {
        const { message = '' } = error as Partial<Error>
        // amqplib does not expose the reason of the server.
        if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose'))
          reportUnavailable('denies access to the virtual host: create it, or grant the user permissions')
        else if (message.startsWith('Handshake terminated by server'))
          reportUnavailable('rejects the credentials: check user and password', toPlainError(error))
        else reportUnavailable('does not answer: check that the server is running', toPlainError(error))
      })
      // Without this, a peer that does not respond would keep the socket for minutes.
      socket.abort()
      attempted.resolve(undefined)
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  void reconnectUntilClosed()

  return {
    async getConnection() {
      await attempted.promise
      if (closing.signal.aborted)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to RabbitMQ is closed: open another')
      if (problem !== undefined || connection === undefined)
        throw (
          problem ?? new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ at ${hostAndPort} does not answer`)
        )
      return connection
    },
    async close(signal) {
      closing.abort()
      attempted.resolve(undefined)
      if (connection) await untilAborted(connection.close(), signal).catch(() => undefined)
      socket.abort()
    },
  }
}

/** Uses a connection of the application, and never closes it. */
export function useConnection(get: () => ChannelModel | Promise<ChannelModel>): Connection {
  return {
    getConnection: async () => get(),
    close: () => Promise.resolve(),
  }
}
