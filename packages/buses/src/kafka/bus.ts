import { setTimeout as sleep } from 'node:timers/promises'
import { compatibilityPartitioner, Producer, ProduceAcks, type ProducerOptions } from '@platformatic/kafka'
import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkIntegers } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import type { ClientHooks } from '../client/options.ts'
import { createBusTracker, notSerializable } from '../client/failure.ts'
import { describeError, isMoved, isTooLarge, toFailure, tooLarge } from './failure.ts'
import { encodeEvent, type EncodedEvent } from './message.ts'
import { findPartitions } from './topic.ts'

type KafkaCompression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'

export interface KafkaBusOptions {
  /** The topic for the events. A missing topic is created; an existing one is unchanged. @default sallyport */
  readonly topic?: string
  /** Partitions of a created topic. @default 6 */
  readonly partitions?: number
  /** Replicas of a created topic. @default the setting of the brokers */
  readonly replicas?: number
  /** Compression of a batch. @default lz4 */
  readonly compression?: KafkaCompression
  /** Maximum size of a batch before compression, in bytes. A larger event is a batch. @default 524,288 (512 KiB) */
  readonly batchBytes?: number
  /**
   * Maximum size of an event, in bytes. A larger event, and one that the brokers refuse as too large, is published with a
   * reference to its data, if the dispatcher has `dataref`, and otherwise becomes a dead letter.
   *
   * @default 67,108,864 (64 MiB)
   */
  readonly eventBytes?: number
}

/** A publisher on a Kafka topic. */
export interface KafkaBus extends Publisher {
  /** Resolves if the topic exists or was created and each partition has a leader; otherwise rejects with the reason. */
  ping(): Promise<void>
  /** Rejects new calls, resolves when the running calls have ended, and disconnects. */
  close(): Promise<void>
}

export type ConnectionOptions = Pick<
  ProducerOptions<Buffer, Buffer, Buffer, Buffer>,
  'clientId' | 'bootstrapBrokers'
>

/** An event that waits to be sent. */
interface Pending {
  readonly message: EncodedEvent
  /** The call that waits for the result. */
  readonly signal: AbortSignal
  readonly settle: (result: PublishResult) => void
}

/** Attempts within one call, for a changed leader and a lost connection. The dispatcher retries later. */
export const retries = 2
export const retryDelayMs = 250

export const defaultCompression = 'lz4'

export function createBus(
  connection: ConnectionOptions,
  options: KafkaBusOptions,
  { onAvailable, onUnavailable }: ClientHooks,
): KafkaBus {
  const { topic = 'sallyport', partitions = 6, replicas } = options
  const { compression = defaultCompression, batchBytes = 524_288, eventBytes = 67_108_864 } = options
  checkIntegers({ partitions, replicas, batchBytes, eventBytes }, 1)
  if (!/^[\w.-]{1,249}$/.test(topic) || /^\.{1,2}$/.test(topic))
    throw new TypeError('topic must be 1 to 249 letters, digits and . _ -')
  const operations = createBusTracker()
  const waiting: Pending[] = []
  let sending: Promise<void> | undefined
  let producer: Producer | undefined
  let isAvailable: boolean | undefined

  function report(error?: unknown): void {
    const before = isAvailable
    isAvailable = error === undefined
    if (before === isAvailable) return
    if (isAvailable) callHook(onAvailable)
    else callHook(onUnavailable, new SallyportError('SERVICE_UNAVAILABLE', describeError(error)))
  }

  function openProducer(): Producer {
    producer ??= new Producer({ ...connection, ...{ idempotent: true, retries, retryDelay: retryDelayMs } })
    return producer
  }

  /**
   * Discards the producer after a failed send. The library does not advance the sequence numbers of the partitions that the
   * brokers may have stored, and a broker drops another batch with the same number as a duplicate.
   */
  function discardProducer(): void {
    const discarded = producer
    producer = undefined
    discarded?.close().catch(() => undefined)
  }

  const findTopic = (forceUpdate = false) =>
    findPartitions(openProducer(), connection, { topic, partitions, replicas, forceUpdate })

  /** Sends everything that waits, one batch at a time: the producer does not number parallel batches. */
  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting, batchBytes)
      try {
        await sendBatch(batch)
        report()
      } catch (error) {
        report(error)
        for (const { settle } of batch) settle(toFailure(error))
      }
    }
  }

  /**
   * Sends a batch: again when a partition has a new leader, and its halves when the brokers refuse it as too large. Events of
   * another partition are sent twice then.
   */
  async function sendBatch(batch: readonly Pending[], attempt = 1): Promise<void> {
    try {
      const partitionCount = await findTopic()
      const messages = batch.map(({ message: { key, value, headers } }) => {
        const partition = compatibilityPartitioner({ topic }, key) % partitionCount
        return { topic, partition, key, value, headers }
      })
      await openProducer().send({ messages, acks: ProduceAcks.ALL, compression })
    } catch (error) {
      discardProducer()
      if (isMoved(error) && attempt <= retries) {
        await sleep(retryDelayMs * attempt)
        await sendBatch(batch, attempt + 1)
      } else if (!isTooLarge(error)) throw error
      else if (batch.length === 1) batch[0]?.settle(tooLarge)
      else {
        const middle = Math.ceil(batch.length / 2)
        await sendBatch(batch.slice(0, middle))
        await sendBatch(batch.slice(middle))
      }
      return
    }
    for (const { settle } of batch) settle({ ok: true })
  }

  function enqueue(event: WebhookEvent, signal: AbortSignal): Promise<PublishResult> {
    const message = encodeEvent(event)
    if (message === undefined) return Promise.resolve(notSerializable)
    if (message.bytes > eventBytes) return Promise.resolve(tooLarge)
    return new Promise((settle) => waiting.push({ message, signal, settle }))
  }

  return {
    publish: (events, signal) =>
      operations.run(() => {
        signal.throwIfAborted()
        const results = Promise.all(events.map((event) => enqueue(event, signal)))
        sending ??= sendWaiting().finally(() => (sending = undefined))
        return untilAborted(results, signal)
      }),
    ping: () =>
      operations.run(async () => {
        try {
          await findTopic(true)
        } catch (error) {
          throw new SallyportError('SERVICE_UNAVAILABLE', describeError(error))
        }
      }),
    async close() {
      await operations.close()
      await sending
      await producer?.close()
    },
  }
}

/** Removes the next batch from the queue. Events of aborted calls are dropped. */
function takeBatch(waiting: Pending[], batchBytes: number): readonly Pending[] {
  const batch: Pending[] = []
  let bytes = 0
  let taken = 0
  for (const pending of waiting) {
    if (!pending.signal.aborted) {
      bytes += pending.message.bytes
      if (batch.length > 0 && bytes > batchBytes) break
      batch.push(pending)
    }
    taken++
  }
  waiting.splice(0, taken)
  return batch
}
