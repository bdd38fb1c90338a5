import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'

/** The durable consumer that all processes share. */
export const consumer = 'drainer'

/** Returns the settings of a work queue stream that holds at most one message per subject. */
export function queueSettings(events: number, replicas: number): Partial<StreamConfig> {
  return {
    retention: RetentionPolicy.Workqueue,
    // An event id is a subject, so the stream rejects a second message with the same id.
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    max_msgs: events,
    num_replicas: replicas,
  }
}

/** Creates the consumer if it is missing. Rejects a stream or consumer whose settings would lose or duplicate events. */
export async function prepareQueue(
  connection: NatsConnection,
  config: StreamConfig,
  { leaseMs, ackWaitMs, timeoutMs }: Readonly<Record<'leaseMs' | 'ackWaitMs' | 'timeoutMs', number>>,
): Promise<void> {
  const { name } = config
  const isQueue =
    config.retention === RetentionPolicy.Workqueue &&
    config.discard === DiscardPolicy.New &&
    config.max_msgs_per_subject === 1 &&
    config.discard_new_per_subject
  if (!isQueue)
    throw createConfigError(`The stream ${name} is not a work queue: delete the stream, or name another`)
  const { consumers } = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs })
  const info = await consumers.info(name, consumer).catch((error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.ConsumerNotFound)
      throw error
    return consumers.add(name, {
      durable_name: consumer,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      max_deliver: -1,
      // Events with a scheduled retry also count as pending and would block all others.
      max_ack_pending: -1,
    })
  })
  const { ack_policy, ack_wait = 0, max_deliver = -1, max_ack_pending = -1 } = info.config
  const neverDropsEvents = ack_wait >= nanos(leaseMs) && max_deliver <= 0 && max_ack_pending <= 0
  if (ack_policy !== AckPolicy.Explicit || !neverDropsEvents)
    throw createConfigError(`The consumer ${consumer} of ${name} has other settings: delete the consumer`)
}

const createConfigError = (message: string) => new SallyportError('SERVICE_UNAVAILABLE', message)
