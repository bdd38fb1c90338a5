import type { SecureContextOptions } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type ChannelModel } from 'amqplib'
import { SallyportError } from '@sallyport/errors'
import { plainError } from './failure.ts'
import type { ServerAddress } from './server-address.ts'
import { untilAborted } from './until-aborted.ts'

export interface ConnectionHooks {
  /** Told once when the server does not answer, at the start too, is gone, or takes no messages for now. */
  readonly onUnavailable?: (error: unknown) => unknown
  /** Told when it answers, for the first time or again. */
  readonly onAvailable?: () => unknown
}

export interface Connection {
  /** Rejects while the server is away; waits for the end of the first attempt to connect, and for no other. */
  current(): Promise<ChannelModel>
  /** Ends, by force where the server does not answer until the signal is aborted. */
  close(patience: AbortSignal): Promise<void>
}

export interface ConnectionSettings {
  readonly connectTimeoutMs: number
  readonly retryMs: number
  readonly tls: SecureContextOptions
}

/** A server that nobody hears from for two to three of these is gone. */
const heartbeatSeconds = 10

/** Connects in the background, for as long as it takes, and again whenever the connection is lost. */
export function openConnection(
  { place, options }: ServerAddress,
  { connectTimeoutMs, retryMs, tls }: ConnectionSettings,
  { onUnavailable, onAvailable }: ConnectionHooks,
): Connection {
  const closing = new AbortController()
  const attempted = Promise.withResolvers<undefined>()
  let connection: ChannelModel | undefined
  let socket = new AbortController()
  let told: 'away' | 'back' | undefined
  let problem: SallyportError | undefined

  function away(what: string, cause?: unknown): void {
    problem = new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ at ${place} ${what}`, { cause })
    if (closing.signal.aborted || told === 'away') return
    told = 'away'
    tell(() => onUnavailable?.(cause ?? problem))
  }

  function back(): void {
    problem = undefined
    if (closing.signal.aborted) return
    told = 'back'
    tell(() => onAvailable?.())
  }

  /** Resolves with the reason when the connection is lost. */
  function watch(opened: ChannelModel): Promise<Error> {
    const lost = Promise.withResolvers<Error>()
    let last: Error | undefined
    // Without a listener, it would be an error of the whole process.
    opened.on('error', (error: Error) => {
      last = error
    })
    opened.on('close', (error?: Error) => {
      lost.resolve(last ?? error ?? new Error('The connection is lost'))
    })
    opened.on('blocked', (reason: string) => {
      away('takes no messages for now: give it memory or disk', plainError(new Error(reason)))
    })
    opened.on('unblocked', back)
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
      back()
      attempted.resolve(undefined)
      throw await watching
    } finally {
      connection = undefined
    }
  }

  async function keepConnecting(): Promise<void> {
    while (!closing.signal.aborted) {
      await connectOnce().catch((error: unknown) => {
        const { message = '' } = error as Partial<Error>
        // The client does not pass on the server's words for it.
        if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose'))
          away('refuses us its virtual host: make it, or give the user permissions')
        else if (message.startsWith('Handshake terminated by server'))
          away('refuses us: see user and password', plainError(error))
        else away('does not answer: see whether it runs', plainError(error))
      })
      // A peer that hangs would keep its half of the connection for minutes.
      socket.abort()
      attempted.resolve(undefined)
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  void keepConnecting()

  return {
    async current() {
      await attempted.promise
      if (closing.signal.aborted)
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The connection to RabbitMQ is closed: open another')
      if (problem !== undefined || connection === undefined)
        throw problem ?? new SallyportError('SERVICE_UNAVAILABLE', `RabbitMQ at ${place} does not answer`)
      return connection
    },
    async close(patience) {
      closing.abort()
      attempted.resolve(undefined)
      if (connection) await untilAborted(connection.close(), patience).catch(() => undefined)
      socket.abort()
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
