import { type Notifier } from '@sallyport/webhooks';
import { type AlertTarget } from '@sallyport/webhooks/alerts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../logging/log.ts';
/** The receiver of notifications and alerts. */
export interface Operators {
    readonly notifier: Notifier;
    /** Undefined without OPERATOR_URL. */
    readonly alerts: AlertTarget | undefined;
}
/** Opens the receiver: OPERATOR_URL, with the newest secret, or the log. */
export declare function openOperators({ settings, secrets }: Config, log: Logger): Operators;
