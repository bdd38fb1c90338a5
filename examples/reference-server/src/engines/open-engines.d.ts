import { type FailureLimiter, type Publisher, type Queue } from '@sallyport/webhooks';
import type { Settings } from '../config/settings.ts';
import type { Storage } from '../database/storage.ts';
import { type Logger } from '../logging/log.ts';
import { type Dependency } from '../service/readiness.ts';
import type { BusRoute } from './routes-file.ts';
/** The bus and the shared queue. */
export interface Engines {
    readonly bus: Publisher;
    readonly queue: Queue;
    /** Counts failures for all replicas; undefined if no engine supports it, and each process counts its own. */
    readonly limiter: FailureLimiter | undefined;
    /** The engines outside of the database. The server is ready without them, because events wait in the inbox. */
    readonly dependencies: readonly Dependency[];
    /** The engines that are unavailable or refuse events, each with a text for the operator. */
    readonly outages: () => readonly EngineOutage[];
    /** Waits for running operations, then closes. */
    readonly close: () => Promise<void>;
}
interface EngineOutage {
    readonly name: string;
    readonly text: string;
}
/**
 * Opens the bus and the shared queue of the settings. By default, both are in the database.
 *
 * @param routes the routes of events to several buses. @default all events go to the bus
 */
export declare function openEngines(settings: Pick<Settings, 'BUS_URL' | 'BUS_EVENT_LIMIT' | 'QUEUE_URL' | 'BUS_TIMEOUT_MS' | 'SHUTDOWN_SECONDS'>, storage: Pick<Storage, 'bus' | 'queue'>, log: Logger, routes?: readonly BusRoute[]): Promise<Engines>;
export {};
