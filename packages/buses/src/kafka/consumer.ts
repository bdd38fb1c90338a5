import {
  Consumer as GroupConsumer,
  MessagesStreamFallbackModes,
  MessagesStreamModes,
  Producer,
  type Message,
  type MessagesStream,
} from '@platformatic/kafka'
import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import { retries, retryDelayMs, type ConnectionOptions } from './bus.ts'
import { storeDeadLetter } from './dead-letter.ts'
import { describeError } from './failure.ts'
import { decodeMessage } from './message.ts'
import { createPartitions, type Partition } from './partitions.ts'
import { findPartitions } from './topic.ts'

export interface KafkaConsumerOptions<
  Providers extends readonly AnyProvider[] = readonly AnyProvider[],
> extends ConsumerOptions<Providers> {
  /** @default sallyport */
  readonly topic?: string
  /** Partitions of a topic that the consumer creates because it is missing. @default 6 */
  readonly partitions?: number
  /** Replicas of a topic that the consumer creates. @default the setting of the brokers */
  readonly replicas?: number
}

/** After this time without a heartbeat, the partitions of a process go to the others, in milliseconds. */
const sessionTimeout = 10_000
const heartbeatInterval = 1000
const rebalanceTimeout = 30_000
/** Longer than a rebalance: a process that joins waits until the others have joined again or their sessions have ended. */
const requestTimeout = 40_000
/** How long a process waits for the answers to its last commit and its leave, in milliseconds. */
const leaveMs = 5000
/** The longest wait for messages, in milliseconds. */
const waitMs = 1000
/** How often a process asks for the partitions of the topic, and how long it waits for the answer, in milliseconds. */
const defaultCheckMs = 60_000
const checkTimeoutMs = 10_000
/** Messages that wait in the process before they are received. */
const highWaterMark = 100

type KafkaMessage = Message
type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>

const createLostError = () =>
  new SallyportError('SERVICE_UNAVAILABLE', 'Another process has the partition: it handles the event again')

/**
 * Creates a consumer of the group `<topic>.<name>`. The committed offset of a partition is that of the first message that is not settled.
 * Dead letters go to the topic `<topic>.<name>.dead`.
 *
 * @param checkMs the interval of the check for added partitions, in milliseconds
 */
export function createKafkaConsumer<Providers extends readonly AnyProvider[]>(
  connection: ConnectionOptions,
  { topic = 'sallyport', partitions = 6, replicas, ...options }: KafkaConsumerOptions<Providers>,
  checkMs = defaultCheckMs,
): Consumer {
  const topicOptions = { topic, partitions, replicas, forceUpdate: true }
  return createConsumer(createSource(connection, topicOptions, options.name, checkMs), options)
}

function createSource(
  connection: ConnectionOptions,
  topicOptions: Parameters<typeof findPartitions>[2],
  name: string,
  checkMs: number,
): ConsumerSource {
  const { topic } = topicOptions
  const deadTopic = { ...topicOptions, topic: `${topic}.${name}.dead`, forceUpdate: false }
  const arrivals = createWakeUps()
  const assigned = createPartitions()
  let producer: Producer | undefined
  let group: GroupConsumer | undefined
  let stream: Stream | undefined
  let failure: unknown
  /** Whether the assignment has changed since the stream was opened. */
  let isStale = false
  let partitionCount = 0
  let nextCheckAt = 0
  let committing: Promise<void> = Promise.resolve()
  let nextCommit: Promise<void> | undefined

  const openProducer = () =>
    (producer ??= new Producer({ ...connection, ...{ idempotent: true, retries, retryDelay: retryDelayMs } }))

  function joinGroup(): GroupConsumer {
    const joined = new GroupConsumer({
      ...connection,
      ...{ groupId: `${topic}.${name}`, autocommit: false, requestTimeout },
      ...{ sessionTimeout, heartbeatInterval, rebalanceTimeout },
    })
    joined.on('consumer:group:join', ({ memberId, assignments }) => {
      if (group !== joined) return
      // The leader of the group may know of added partitions before this process.
      joined.clearMetadata()
      const current = assignments?.flatMap((one) => (one.topic === topic ? one.partitions : [])) ?? []
      assigned.assign(memberId, current)
      isStale = stream !== undefined
      arrivals.wake()
    })
    joined.on('error', fail)
    return joined
  }

  function fail(error: unknown): void {
    failure ??= error
    arrivals.wake()
  }

  /** Opens a stream from the committed offsets. */
  async function openStream(consumer: GroupConsumer): Promise<Stream> {
    isStale = false
    assigned.beginStream()
    const opened = await consumer.consume({
      ...{ topics: [topic], autocommit: false, maxWaitTime: waitMs / 2, highWaterMark },
      ...{ mode: MessagesStreamModes.COMMITTED, fallbackMode: MessagesStreamFallbackModes.EARLIEST },
    })
    opened.on('error', fail)
    opened.on('readable', () => {
      arrivals.wake()
    })
    return opened
  }

  /**
   * Joins the group again when partitions were added. The group assigns them when its leader joins, which has a check of its
   * own; the other members keep their partitions.
   */
  async function checkPartitions(member: GroupConsumer): Promise<void> {
    nextCheckAt = performance.now() + checkMs
    const reading = member.metadata({ topics: [topic], forceUpdate: true })
    const metadata = await untilAborted(reading, AbortSignal.timeout(checkTimeoutMs)).catch(() => undefined)
    const count = metadata?.topics.get(topic)?.partitionsCount ?? 0
    // Without an answer, the next check asks again.
    if (member !== group || count === 0 || count === partitionCount) return
    partitionCount = count
    try {
      await member.joinGroup({})
    } catch (error) {
      if (member === group) fail(error)
    }
  }

  async function connect(signal: AbortSignal): Promise<void> {
    await leave(AbortSignal.timeout(leaveMs))
    signal.throwIfAborted()
    partitionCount = await findPartitions(openProducer(), connection, topicOptions)
    nextCheckAt = performance.now() + checkMs
    // A member that joins after the stop would never leave.
    signal.throwIfAborted()
    group = joinGroup()
    stream = await openStream(group)
  }

  async function leave(signal: AbortSignal): Promise<void> {
    const [left, closed] = [group, producer]
    stream = undefined
    group = undefined
    producer = undefined
    failure = undefined
    assigned.assign(null, [])
    const closing = Promise.allSettled([left?.close(true), closed?.close()])
    // Brokers that do not answer end the session.
    await untilAborted(closing, signal).catch(() => undefined)
  }

  /** Commits the offsets of settled messages. Concurrent calls share one request. */
  function commit(): Promise<void> {
    nextCommit ??= committing
      .catch(() => undefined)
      .then(() => {
        nextCommit = undefined
        return (committing = commitChanged())
      })
    return nextCommit
  }

  async function commitChanged(): Promise<void> {
    const changed = group === undefined ? [] : assigned.takeChanged()
    if (changed.length === 0) return
    const offsets = changed.map(({ partition, offset, state: { leaderEpoch } }) => ({
      ...{ topic, partition, offset, leaderEpoch },
    }))
    try {
      await group?.commit({ offsets })
      for (const { state, offset } of changed) state.committed = offset
    } catch (error) {
      // The next commit includes them.
      for (const { state } of changed) state.hasChanged = true
      throw new SallyportError('SERVICE_UNAVAILABLE', describeError(error))
    }
  }

  function toReceived(message: KafkaMessage, state: Partition): ReceivedMessage {
    const { partition, offset } = message
    const isLost = () => !assigned.has(partition, state) || group?.memberId !== state.memberId
    const ack = async () => {
      if (isLost()) throw createLostError()
      state.unsettled.delete(offset)
      state.hasChanged = true
      await commit()
    }
    return {
      decode: () => decodeMessage(message),
      deliveries: 0,
      ack,
      async deadLetter(reason) {
        if (isLost()) throw createLostError()
        try {
          await storeDeadLetter(openProducer(), connection, deadTopic, message, reason)
        } catch (error) {
          throw new SallyportError('SERVICE_UNAVAILABLE', describeError(error))
        }
        await ack()
      },
      // The committed offset stays before the message, for the next process.
      release: () => Promise.resolve(),
      isLost,
    }
  }

  return {
    async open(signal) {
      try {
        // Brokers that accept connections and do not answer must not delay a stop.
        await untilAborted(connect(signal), signal)
      } catch (error) {
        throw new SallyportError('SERVICE_UNAVAILABLE', describeError(error))
      }
    },
    async receive(limit, signal) {
      if (failure !== undefined || group === undefined || stream === undefined)
        throw new SallyportError('SERVICE_UNAVAILABLE', describeError(failure))
      if (performance.now() >= nextCheckAt) void checkPartitions(group)
      // The messages of a stale stream may be after others that were lost.
      while (isStale) {
        const before = stream
        stream = await untilAborted(openStream(group), signal)
        await before.close()
      }
      const seen = arrivals.count
      const received: ReceivedMessage[] = []
      while (received.length < limit) {
        const message = stream.read() as KafkaMessage | null
        if (message === null) break
        const state = assigned.receive(message)
        if (state !== undefined) received.push(toReceived(message, state))
      }
      if (received.length === 0 && arrivals.count === seen) await arrivals.pause(waitMs, signal)
      return received
    },
    async close() {
      const signal = AbortSignal.timeout(leaveMs)
      await untilAborted(commit(), signal).catch(() => undefined)
      await leave(signal)
    },
  }
}
