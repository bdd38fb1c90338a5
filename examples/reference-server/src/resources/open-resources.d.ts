import { type ApiKeys, type KeyRing } from '@sallyport/auth';
import { type ApiOptions } from '@sallyport/rest';
import type { Config } from '../config/config.ts';
import type { Storage } from '../database/storage.ts';
import type { UserRow } from '../database/tables.ts';
import type { Caller } from '../http/context.ts';
import type { Logger } from '../logging/log.ts';
import type { SecurityLog } from '../logging/security-log.ts';
import { type Users } from '../users/repository.ts';
/** The resources of the REST API and the dependencies of their routes. */
export interface Resources {
    readonly api: Pick<ApiOptions<Caller, object>, 'routes' | 'authenticate' | 'hasRole' | 'getCallerId' | 'idempotency'>;
    /** The keys of access tokens. */
    readonly keys: KeyRing;
    readonly apiKeys: ApiKeys<UserRow>;
    readonly users: Pick<Users, 'find'>;
    /** The notices for the operator. */
    readonly notices: readonly string[];
    /** Stops the maintenance; does not close the database. */
    close(): Promise<void>;
}
/** Migrates the database, creates the first admin and the routes of all resources. */
export declare function openResources(options: {
    readonly config: Config;
    readonly storage: Pick<Storage, 'db' | 'reads' | 'search' | 'migrate' | 'pruneBus'>;
    readonly log: Logger;
    readonly securityLog: Pick<SecurityLog, 'logSuccess'>;
    /** Releases the ids of endpoints that were deleted before a time. */
    readonly pruneEndpoints?: (before: number) => Promise<number>;
    /** Delete expired rows of other tables. */
    readonly prunes?: readonly (() => Promise<unknown>)[];
}): Promise<Resources>;
