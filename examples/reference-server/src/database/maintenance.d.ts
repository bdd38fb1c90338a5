import { type CompleteInbox, type Retention, type WithInbox } from '@sallyport/webhooks';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../logging/log.ts';
/** Periodic maintenance. */
export interface Maintenance {
    /** Starts no more tasks and waits for the running one. */
    stop(): Promise<void>;
}
/** A task; it ends early when the signal is aborted. */
type MaintenanceTask = (signal: AbortSignal) => Promise<unknown>;
/**
 * Runs all tasks once an hour, in sequence. Errors are reported, and the task runs again an hour later. No task runs in an
 * hour in which the clock was set, because the tasks delete by age.
 *
 * @param now milliseconds since the epoch
 */
export declare function startMaintenance(tasks: readonly MaintenanceTask[], onError: (error: unknown) => void, now?: () => number): Maintenance;
/** Creates a task that runs batches until no work is left. */
export declare function inBatches(portion: () => Promise<{
    readonly more: boolean;
}>): MaintenanceTask;
/** Starts the retention of deliveries. */
export declare function startRetention(inbox: CompleteInbox, settings: Settings, log: Logger): Retention;
/**
 * The retention of the embedded bus, in milliseconds: longer than that of records, so that the bus recognizes replayed ids.
 */
export declare function busRetentionMs({ RETENTION_DAYS }: Pick<Settings, 'RETENTION_DAYS'>): number;
/** The gateway's option of the same name. */
export declare function maxEventAge({ MAX_EVENT_AGE_DAYS: days, }: Pick<Settings, 'MAX_EVENT_AGE_DAYS'>): Pick<WithInbox, 'maxEventAgeMs'>;
export {};
