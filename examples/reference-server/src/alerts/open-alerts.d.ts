import type { CompleteInbox } from '@sallyport/webhooks';
import { type Alerts, type AlertTarget } from '@sallyport/webhooks/alerts';
import type { Settings } from '../config/settings.ts';
import type { WebhookSecrets } from '../config/webhook-secrets.ts';
import type { Storage } from '../database/storage.ts';
import type { Engines } from '../engines/open-engines.ts';
import { type Logger } from '../logging/log.ts';
import type { Traffic } from '../traffic/open-traffic.ts';
import type { QueueWatch } from '../webhooks/watch-queue.ts';
export interface AlertsContext {
    readonly settings: Pick<Settings, 'ALERT_URLS' | 'ALERT_PENDING_SECONDS' | 'PUBLIC_URL' | 'CONSOLE'>;
    readonly db: Storage['db'];
    readonly inbox: Pick<CompleteInbox, 'stats'>;
    readonly traffic: Traffic['store'];
    readonly engines: Pick<Engines, 'outages'>;
    readonly secrets: Pick<WebhookSecrets, 'notices'>;
    readonly queueWatch: Pick<QueueWatch, 'notices'>;
    /** The receiver at OPERATOR_URL. */
    readonly operators: AlertTarget | undefined;
    readonly log: Logger;
}
/** Opens the alerts to OPERATOR_URL and ALERT_URLS; undefined without both. */
export declare function openAlerts(context: AlertsContext): Alerts | undefined;
