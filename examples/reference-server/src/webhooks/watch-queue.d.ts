import type { OperatorInbox } from '@sallyport/webhooks';
import type { Logger } from '../logging/log.ts';
/** Detects that the shared queue has lost its events, or that no drainer reads it. */
export interface QueueWatch {
    readonly notices: () => readonly string[];
    /** Checks the inbox once; does nothing when the inbox is unavailable. */
    readonly check: () => Promise<void>;
    readonly stop: () => void;
}
/**
 * Checks the oldest queued event every 10 seconds. An event without any attempt that stays the oldest for 30 seconds is
 * logged once, and is a notice until the queue makes progress.
 * @param now a monotonic clock in milliseconds
 */
export declare function watchQueue(inbox: Pick<OperatorInbox, 'stats'>, log: Pick<Logger, 'warn' | 'info'>, now?: () => number): QueueWatch;
