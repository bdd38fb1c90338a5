import type { RecordingGateway } from '@sallyport/webhooks';
import { type UnprocessedDiagnoser, type UnprocessedDiagnoserOptions, type UnprocessedKeeper, type UnprocessedReplayer, type UnprocessedStore } from '@sallyport/webhooks/unprocessed';
import type { Config } from '../config/config.ts';
import type { Storage } from '../database/storage.ts';
import { type Logger } from '../logging/log.ts';
import type { ServerTelemetry } from '../telemetry/telemetry.ts';
/** The ignored and refused deliveries of all processes. */
export interface Unprocessed {
    readonly store: Pick<UnprocessedStore, 'list' | 'count' | 'get'>;
    /** Keeps the deliveries of this process; undefined with KEEP_UNPROCESSED_HOURS=0. */
    readonly keeper: UnprocessedKeeper | undefined;
    readonly createReplayer: (gateway: Pick<RecordingGateway, 'reprocess'>) => UnprocessedReplayer;
    readonly createDiagnoser: (options: Pick<UnprocessedDiagnoserOptions, 'providers' | 'secrets' | 'endpoints'>) => UnprocessedDiagnoser;
    /** Deletes expired deliveries, also after the setting was lowered. */
    readonly prune: () => Promise<number>;
}
export declare function openUnprocessed({ config, storage, telemetry, log, }: {
    readonly config: Pick<Config, 'settings' | 'jwtSecrets'>;
    readonly storage: Pick<Storage, 'db'>;
    readonly telemetry: Pick<ServerTelemetry, 'onUnprocessedDropped'>;
    readonly log: Pick<Logger, 'debug' | 'error'>;
}): Unprocessed;
