import { JetStreamApiError, jetstreamManager, type StreamConfig } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { untilAborted } from '@sallyport/internal/deadline'
import type { Connection } from './connection.ts'
import { toFailure } from './failure.ts'

/** JetStream error: a stream of this name exists with other settings. */
const nameInUse = 10058
const notFound = 10059

interface OpenStream {
  readonly connection: NatsConnection
  /** Prefix of the subjects of the stream. */
  readonly prefix: string
}

/** A stream that is created if it is missing and used unchanged if it exists. */
export interface EnsuredStream {
  /** Rejects while the server is unavailable, or if the stream cannot be created. */
  open(): Promise<OpenStream>
  /** Opens the stream and sends events. If the stream cannot be opened, all events fail with a retryable error. */
  send(
    events: readonly WebhookEvent[],
    signal: AbortSignal,
    send: (stream: OpenStream) => Promise<readonly PublishResult[]>,
  ): Promise<readonly PublishResult[]>
  /** Makes the next call check the stream again, because an error may be due to a deleted stream. */
  invalidate(): void
}

export interface StreamOptions {
  readonly name: string
  /** Prefix of the subjects; undefined for the prefix of the existing stream. */
  readonly prefix: string | undefined
  readonly timeoutMs: number
  /** Settings of a created stream, without name and subjects. */
  readonly settings: Partial<StreamConfig>
}

export function createEnsuredStream(connection: Connection, options: StreamOptions): EnsuredStream {
  const { name, timeoutMs } = options
  let ensured: { readonly connection: NatsConnection; readonly config: Promise<StreamConfig> } | undefined

  async function ensure(connected: NatsConnection): Promise<StreamConfig> {
    const { streams } = await jetstreamManager(connected, { checkAPI: false, timeout: timeoutMs })
    const find = async () => (await streams.info(name)).config
    const create = async () => {
      const prefix = options.prefix ?? name.toLowerCase()
      const { config } = await streams.add({ ...options.settings, name, subjects: [`${prefix}.>`] })
      return config
    }
    return (
      find()
        .catch((error: unknown) => (hasCode(error, notFound) ? create() : Promise.reject(error as Error)))
        // Another process created the stream at the same time with other settings.
        .catch((error: unknown) => (hasCode(error, nameInUse) ? find() : Promise.reject(error as Error)))
    )
  }

  async function open(): Promise<OpenStream> {
    const connected = await connection.getConnection()
    if (ensured?.connection !== connected) ensured = { connection: connected, config: ensure(connected) }
    const current = ensured
    try {
      // Wait for the stream even if the prefix is known, so that the stream exists afterwards.
      const config = await current.config
      return { connection: connected, prefix: options.prefix ?? readPrefix(config, name) }
    } catch (error) {
      if (ensured === current) ensured = undefined
      throw error
    }
  }

  return {
    open,
    async send(events, signal, send) {
      signal.throwIfAborted()
      if (events.length === 0) return []
      const sending = open().then(send, (error: unknown) => events.map(() => toFailure(error)))
      return untilAborted(sending, signal)
    },
    invalidate() {
      ensured = undefined
    },
  }
}

/** Returns the prefix of the subjects of a stream that may have been created for other names. */
function readPrefix({ subjects }: StreamConfig, name: string): string {
  const [only, ...others] = subjects
  return only?.endsWith('.>') === true && others.length === 0 ? only.slice(0, -2) : name.toLowerCase()
}

const hasCode = (error: unknown, code: number) => error instanceof JetStreamApiError && error.code === code
