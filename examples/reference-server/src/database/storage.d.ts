import type { EmbeddedBus } from '@sallyport/sql/sqlite';
import type { CompleteInbox, Publisher, Queue, Work } from '@sallyport/webhooks';
import type { ReplayJobStore } from '@sallyport/webhooks/replay-jobs';
import { type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Settings } from '../config/settings.ts';
import { type Logger } from '../logging/log.ts';
import { type Dependency } from '../service/readiness.ts';
import { type Search } from './row-queries.ts';
import type { Tables } from './tables.ts';
/** The storage of the server. */
export interface Storage {
    readonly inbox: CompleteInbox;
    readonly replayJobs: ReplayJobStore;
    readonly bus: Publisher;
    /** The shared queue. */
    readonly queue: Queue;
    /** Deletes a batch of events that were published longer ago, in milliseconds; undefined without an embedded bus. */
    readonly pruneBus?: (publishedForMs: number) => Promise<{
        readonly more: boolean;
    }>;
    /** Reads how far the consumers of the embedded bus are. */
    readonly busConsumers: EmbeddedBus['consumers'];
    /** The tables of the REST API. */
    readonly db: Kysely<Tables>;
    /** The same tables for short reads, which are faster on SQLite. */
    readonly reads: Kysely<Tables>;
    readonly search: Search;
    /** Calls the listener when another process may have added work to the inbox. Returns the function that unsubscribes. */
    readonly onWork?: (listener: (work: Work) => void) => () => void;
    /** Runs migrations under a lock, or rejects if one is missing. The table records the migrations that have run. */
    readonly migrate: (migrations: Readonly<Record<string, Migration>>, options: {
        readonly table: string;
    }) => Promise<void>;
    /** The dependencies for `/ready`. */
    readonly dependencies: readonly Dependency[];
    /** The current notices for the operator. */
    readonly notices: () => readonly string[];
    readonly close: () => Promise<void>;
}
type StorageLog = Pick<Logger, 'debug' | 'error'>;
/** Opens the storage of the settings and migrates the inbox. Loads only the driver of this database. */
export declare function openStorage({ DATA_DIR, DATABASE_URL, MIGRATE }: Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'MIGRATE'>, log: StorageLog): Promise<Storage>;
export {};
