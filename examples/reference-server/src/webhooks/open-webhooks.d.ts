import { type EndpointSource, type CompleteInbox, type Notifier, type RecordingGateway, type Replayer } from '@sallyport/webhooks';
import type { TrafficRecorder } from '@sallyport/webhooks/traffic';
import type { UnprocessedKeeper } from '@sallyport/webhooks/unprocessed';
import type { Config } from '../config/config.ts';
import type { WebhookSecrets } from '../config/webhook-secrets.ts';
import type { Storage } from '../database/storage.ts';
import type { Engines } from '../engines/open-engines.ts';
import { type Logger } from '../logging/log.ts';
import type { ServerTelemetry } from '../telemetry/telemetry.ts';
/** The pipeline of deliveries: the gateway records, the dispatcher publishes, the drainer empties the shared queue. */
export interface Webhooks {
    readonly gateway: RecordingGateway;
    readonly replayer: Replayer;
    /** Starts the dispatcher and the drainer if the process has the role. */
    readonly start: () => void;
    /** Starts no more work and waits for running work, at most for `graceMs`. */
    readonly stop: (graceMs: number) => Promise<void>;
}
export interface WebhooksOptions {
    readonly config: Config;
    readonly inbox: CompleteInbox;
    /** Calls the listener when another process may have added work; undefined if the storage has no notifications. */
    readonly onWork: Storage['onWork'];
    readonly engines: Pick<Engines, 'bus' | 'queue' | 'limiter'>;
    readonly secrets: Pick<WebhookSecrets, 'keeper'>;
    /** @default none */
    readonly endpoints?: EndpointSource;
    /** Sends the messages of notify functions. */
    readonly notifier: Notifier;
    readonly telemetry: ServerTelemetry;
    /** Counts the requests of the gateway. @default no counts */
    readonly traffic?: Pick<TrafficRecorder, 'observe'>;
    /** Keeps ignored and refused deliveries. @default none is kept */
    readonly keeper?: Pick<UnprocessedKeeper, 'keep'> | undefined;
    readonly log: Logger;
    /** The poll interval of the dispatcher, in milliseconds. @default the default of the dispatcher */
    readonly pollMs?: number;
}
export declare function openWebhooks(options: WebhooksOptions): Webhooks;
