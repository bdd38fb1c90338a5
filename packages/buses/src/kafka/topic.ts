import { setTimeout as sleep } from 'node:timers/promises'
import { Admin, type ClusterMetadata, type Producer, type ProducerOptions } from '@platformatic/kafka'
import { SallyportError } from '@sallyport/errors'
import { findApiError } from './failure.ts'

export interface Topic {
  readonly topic: string
  /** Partitions of a created topic. */
  readonly partitions: number
  /** Replicas of a created topic. @default the setting of the brokers */
  readonly replicas: number | undefined
  /** Whether to ask the brokers instead of the cache. */
  readonly forceUpdate: boolean
}

/** The brokers learn of a created topic, and elect its leaders, within this time. */
const creationDelaysMs = [50, 100, 200, 400, 800]

/**
 * Returns the number of partitions of a topic, which is created if it is missing.
 *
 * @throws SallyportError `SERVICE_UNAVAILABLE` if a partition has no leader
 */
export async function findPartitions(
  producer: Producer,
  connection: Pick<ProducerOptions<Buffer, Buffer, Buffer, Buffer>, 'clientId' | 'bootstrapBrokers'>,
  { topic, partitions, replicas = -1, forceUpdate }: Topic,
): Promise<number> {
  /** Returns undefined for a missing topic. */
  async function readTopic(): Promise<ClusterMetadata | undefined> {
    try {
      return await producer.metadata({ topics: [topic], forceUpdate })
    } catch (error) {
      if (isMissingTopic(error)) return undefined
      throw error
    }
  }

  let metadata = await readTopic()
  if (metadata === undefined) {
    await createTopic(connection, topic, partitions, replicas)
    for (const delayMs of creationDelaysMs) {
      metadata = await readTopic()
      if (metadata !== undefined && countPartitions(metadata, topic) > 0) break
      await sleep(delayMs)
    }
  }
  const count = metadata === undefined ? 0 : countPartitions(metadata, topic)
  if (count === 0)
    throw new SallyportError('SERVICE_UNAVAILABLE', `Kafka: a partition of the topic ${topic} has no leader`)
  return count
}

/** Returns the number of partitions, or 0 while one of them has no leader. */
function countPartitions({ topics }: ClusterMetadata, topic: string): number {
  const partitions = topics.get(topic)?.partitions ?? []
  return partitions.every(({ leader }) => leader >= 0) ? partitions.length : 0
}

/** The library reports a missing topic as an error of the caller. */
function isMissingTopic(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return code === 'PLT_KFK_USER' || findApiError(error) === 'UNKNOWN_TOPIC_OR_PARTITION'
}

async function createTopic(
  connection: Pick<ProducerOptions<Buffer, Buffer, Buffer, Buffer>, 'clientId' | 'bootstrapBrokers'>,
  topic: string,
  partitions: number,
  replicas: number,
): Promise<void> {
  const admin = new Admin({ ...connection, retries: 0 })
  try {
    await admin.createTopics({ topics: [topic], partitions, replicas })
  } catch (error) {
    // Another process created the topic.
    if (findApiError(error) !== 'TOPIC_ALREADY_EXISTS') throw error
  } finally {
    await admin.close()
  }
}
