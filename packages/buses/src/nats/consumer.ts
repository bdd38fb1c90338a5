import {
  AckPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream'
import { headers as createHeaders, nanos, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  decodeEvent,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import type { Connection } from './connection.ts'
import { resolveTimes } from './options.ts'
import { pull } from './pull.ts'
import { readReply } from './reply.ts'
import { createEnsuredStream } from './stream.ts'

export interface NatsConsumerOptions<
  Providers extends readonly AnyProvider[] = readonly AnyProvider[],
> extends ConsumerOptions<Providers> {
  /** The stream of the events. A missing stream is created with the defaults of the bus. @default SALLYPORT */
  readonly stream?: string
  /** Whether a created stream deletes an event when the consumer has settled it. @default false */
  readonly workQueue?: boolean
}

/** How long a message belongs to a process that does not renew it, in milliseconds. */
const ackWaitMs = 30_000
const waitMs = 1000

/** Creates a consumer on a durable pull consumer of a stream. Dead letters go to the stream `<stream>_DEAD`. */
export function createNatsConsumer<Providers extends readonly AnyProvider[]>(
  connection: Connection,
  timeoutMs: number,
  { stream: name = 'SALLYPORT', workQueue = false, ...options }: NatsConsumerOptions<Providers>,
): Consumer {
  const { duplicateWindowMs, maxAgeMs } = resolveTimes({})
  const settings = {
    ...{ duplicate_window: nanos(duplicateWindowMs), max_age: nanos(maxAgeMs) },
    ...(workQueue && { retention: RetentionPolicy.Workqueue }),
  }
  const stream = createEnsuredStream(connection, { name, prefix: undefined, timeoutMs, settings })
  const deadLetters = createEnsuredStream(connection, {
    ...{
      name: `${name}_DEAD`,
      prefix: undefined,
      timeoutMs,
      settings: { duplicate_window: nanos(duplicateWindowMs) },
    },
  })

  async function ensureConsumer(connected: NatsConnection): Promise<void> {
    const { consumers } = await jetstreamManager(connected, { checkAPI: false, timeout: timeoutMs })
    const info = await consumers.info(name, options.name).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.ConsumerNotFound)
        throw error
      const config = {
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(ackWaitMs),
        max_deliver: -1,
        max_ack_pending: -1,
      }
      return consumers.add(name, { ...config, durable_name: options.name })
    })
    const { ack_policy, max_deliver = -1, ack_wait = 0 } = info.config
    if (ack_policy !== AckPolicy.Explicit || max_deliver > 0 || ack_wait < nanos(ackWaitMs))
      throw new SallyportError(
        'SERVICE_UNAVAILABLE',
        `The consumer ${options.name} of ${name} has other settings: delete the consumer`,
      )
  }

  /** The acknowledgement is a request: its answer confirms that the server has it. */
  async function respond(message: Msg, command: string): Promise<void> {
    const connected = await connection.getConnection()
    await connected.request(message.reply ?? '', command, { timeout: timeoutMs })
  }

  async function storeDeadLetter(message: Msg, reason: string): Promise<void> {
    const { connection: connected, prefix } = await deadLetters.open()
    const headers = createHeaders()
    headers.set('Nats-Msg-Id', `${options.name}:${readReply(message.reply ?? '').sequence}`)
    headers.set('Sallyport-Reason', reason)
    headers.set('Sallyport-Subject', message.subject)
    await jetstream(connected, { timeout: timeoutMs }).publish(`${prefix}.${options.name}`, message.data, {
      headers,
    })
    await respond(message, '+TERM')
  }

  let pulling: Promise<unknown> = Promise.resolve()

  /** A pull that waits ends on the server after a second, also if this process no longer listens. */
  async function pullMessages(limit: number, signal: AbortSignal): Promise<readonly Msg[]> {
    const { connection: connected } = await stream.open()
    const from = { stream: name, consumer: options.name, timeoutMs }
    const available = await pull(connected, { ...from, limit, waitMs: 0 })
    if (available.length > 0 || signal.aborted) return available
    return pull(connected, { ...from, limit: 1, waitMs })
  }

  const messages = new WeakMap<ReceivedMessage, Msg>()
  function toReceived(message: Msg): ReceivedMessage {
    const received: ReceivedMessage = {
      decode: () => decodeEvent(message.json()),
      deliveries: readReply(message.reply ?? '').deliveries - 1,
      ack: () => respond(message, '+ACK'),
      deadLetter: (reason) => storeDeadLetter(message, reason),
      async release() {
        // The server would deliver the message to the pull of this process, and later messages to the next process.
        await pulling.catch(() => undefined)
        await respond(message, '-NAK')
      },
    }
    messages.set(received, message)
    return received
  }

  const source: ConsumerSource = {
    async open() {
      stream.invalidate()
      const { connection: connected } = await stream.open()
      await ensureConsumer(connected)
    },
    async receive(limit, signal) {
      const pulled = pullMessages(limit, signal)
      pulling = pulled
      return (await pulled).map(toReceived)
    },
    async renew(unsettled) {
      const connected = await connection.getConnection()
      for (const one of unsettled) connected.publish(messages.get(one)?.reply ?? '', '+WPI')
    },
    renewMs: ackWaitMs / 3,
    close: () => Promise.resolve(),
  }
  return createConsumer(source, options)
}
