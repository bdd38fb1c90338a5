import type { SqsHost } from '@sallyport/buses/sqs'
import type { Gateway } from '@sallyport/webhooks'
import type { Settings } from '../config/settings.ts'
import { type Logger, logOutage } from '../logging/log.ts'

/** Opens the queue of deliveries at INBOUND_QUEUE_URL; undefined without one, or without the role gateway. */
export async function openInboundQueue(
  gateway: Gateway,
  { INBOUND_QUEUE_URL, PUBLIC_URL, ROLE }: Pick<Settings, 'INBOUND_QUEUE_URL' | 'PUBLIC_URL' | 'ROLE'>,
  log: Logger,
): Promise<SqsHost | undefined> {
  if (INBOUND_QUEUE_URL === undefined || !ROLE.has('gateway')) return undefined
  const { createSqsHost } = await import('@sallyport/buses/sqs')
  return createSqsHost(gateway, {
    queueUrl: INBOUND_QUEUE_URL.replace(/^sqs\+/, ''),
    ...(PUBLIC_URL !== undefined && { publicUrl: PUBLIC_URL }),
    onRefused: (refused) => {
      log.warn(refused, 'A delivery of the inbound queue was refused and stays in the queue')
    },
    onError: logOutage(log, 'The inbound queue does not answer'),
  })
}
