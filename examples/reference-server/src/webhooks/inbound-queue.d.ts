import type { SqsHost } from '@sallyport/aws/sqs';
import type { Gateway } from '@sallyport/webhooks';
import type { Settings } from '../config/settings.ts';
import { type Logger } from '../logging/log.ts';
/** Opens the queue of deliveries at INBOUND_QUEUE_URL; undefined without one, or without the role gateway. */
export declare function openInboundQueue(gateway: Gateway, { INBOUND_QUEUE_URL, PUBLIC_URL, ROLE }: Pick<Settings, 'INBOUND_QUEUE_URL' | 'PUBLIC_URL' | 'ROLE'>, log: Logger): Promise<SqsHost | undefined>;
