import { type TrafficRecorder, type TrafficStore } from '@sallyport/webhooks/traffic';
import type { Storage } from '../database/storage.ts';
import { type Logger } from '../logging/log.ts';
import type { ServerTelemetry } from '../telemetry/telemetry.ts';
/** The counts of requests of all processes. */
export interface Traffic {
    readonly store: Pick<TrafficStore, 'sum'>;
    /** Counts the requests of this process. */
    readonly recorder: TrafficRecorder;
    /** Deletes counts that no statistics show any more. */
    readonly prune: () => Promise<number>;
}
export declare function openTraffic(storage: Pick<Storage, 'db'>, telemetry: Pick<ServerTelemetry, 'onCountsDropped'>, log: Pick<Logger, 'debug' | 'error'>): Traffic;
