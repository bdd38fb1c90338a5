import { AckPolicy, JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { DiscardPolicy, RetentionPolicy, type StreamConfig } from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { SallyportError } from '@sallyport/errors'

/** What every process of the queue pulls from. */
export const consumer = 'drainer'

/** Settings of a stream that holds each message until it is acknowledged, and one message a subject. */
export function queueSettings(events: number, replicas: number): Partial<StreamConfig> {
  return {
    retention: RetentionPolicy.Workqueue,
    // An id is a subject: a second message of it is refused while the first is there.
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    max_msgs: events,
    num_replicas: replicas,
  }
}

/** Makes the consumer where it is missing, and refuses a stream or a consumer that would lose or double events. */
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
    throw unusable(`The stream ${name} is no queue: delete it, and it is made as one, or name another`)
  const { consumers } = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs })
  const info = await consumers.info(name, consumer).catch((error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.ConsumerNotFound)
      throw error
    return consumers.add(name, {
      durable_name: consumer,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      max_deliver: -1,
      // What waits to be tried again counts too, and would hold up all others.
      max_ack_pending: -1,
    })
  })
  const { ack_policy, ack_wait = 0, max_deliver = -1, max_ack_pending = -1 } = info.config
  const isPatient = ack_wait >= nanos(leaseMs) && max_deliver <= 0 && max_ack_pending <= 0
  if (ack_policy !== AckPolicy.Explicit || !isPatient)
    throw unusable(`The consumer ${consumer} of ${name} has other settings: delete it, and it is made anew`)
}

const unusable = (message: string) => new SallyportError('SERVICE_UNAVAILABLE', message)
