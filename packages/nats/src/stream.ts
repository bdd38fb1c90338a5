import { JetStreamApiError, jetstreamManager, type StreamConfig } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import type { Connection } from './connection.ts'
import { failureOf } from './failure.ts'
import { untilAborted } from './until-aborted.ts'

/** JetStream's error when a stream of this name has other settings. */
const nameInUse = 10058
const notFound = 10059

interface OpenStream {
  readonly connection: NatsConnection
  /** What the subjects of the stream begin with. */
  readonly prefix: string
}

/** A stream that is made when it is missing, and used as it is when it is there. */
export interface EnsuredStream {
  /** Rejects while the server is away or does not have the stream and cannot make it. */
  open(): Promise<OpenStream>
  /** Sends events when it is there; without it, all of them may be tried again. */
  send(
    events: readonly InternalEvent[],
    signal: AbortSignal,
    send: (stream: OpenStream) => Promise<readonly PublishResult[]>,
  ): Promise<readonly PublishResult[]>
  /** Looks anew the next time: something went wrong that a missing stream may explain. */
  doubt(): void
}

export interface StreamOptions {
  readonly name: string
  /** What its subjects begin with; undefined for what those of the stream do. */
  readonly prefix: string | undefined
  readonly timeoutMs: number
  /** Its settings when it has to be made; name and subjects are added. */
  readonly settings: Partial<StreamConfig>
  /** Throws when a stream that was there is of no use, and makes what else is needed. */
  readonly prepare?: (connection: NatsConnection, config: StreamConfig) => Promise<void>
}

export function ensureStream(connection: Connection, options: StreamOptions): EnsuredStream {
  const { name, timeoutMs, prepare } = options
  let ensured: { readonly by: NatsConnection; readonly config: Promise<StreamConfig> } | undefined

  async function ensure(by: NatsConnection): Promise<StreamConfig> {
    const { streams } = await jetstreamManager(by, { checkAPI: false, timeout: timeoutMs })
    const find = async () => (await streams.info(name)).config
    const make = async () => {
      const prefix = options.prefix ?? name.toLowerCase()
      const { config } = await streams.add({ ...options.settings, name, subjects: [`${prefix}.>`] })
      return config
    }
    const config = await find()
      .catch((error: unknown) => (hasCode(error, notFound) ? make() : Promise.reject(error as Error)))
      // Another process was faster, with other settings.
      .catch((error: unknown) => (hasCode(error, nameInUse) ? find() : Promise.reject(error as Error)))
    await prepare?.(by, config)
    return config
  }

  async function open(): Promise<OpenStream> {
    const by = await connection.current()
    if (ensured?.by !== by) ensured = { by, config: ensure(by) }
    const mine = ensured
    try {
      // With a prefix of one's own too: there is a stream only once this resolves.
      const config = await mine.config
      return { connection: by, prefix: options.prefix ?? prefixOf(config, name) }
    } catch (error) {
      if (ensured === mine) ensured = undefined
      throw error
    }
  }

  return {
    open,
    async send(events, signal, send) {
      signal.throwIfAborted()
      if (events.length === 0) return []
      const sending = open().then(send, (error: unknown) => events.map(() => failureOf(error)))
      return untilAborted(sending, signal)
    },
    doubt() {
      ensured = undefined
    },
  }
}

/** An existing stream may have been made for other names. */
function prefixOf({ subjects }: StreamConfig, name: string): string {
  const [only, ...others] = subjects
  return only?.endsWith('.>') === true && others.length === 0 ? only.slice(0, -2) : name.toLowerCase()
}

const hasCode = (error: unknown, code: number) => error instanceof JetStreamApiError && error.code === code
