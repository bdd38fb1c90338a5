import type { EndpointSource } from '@sallyport/webhooks';
import type { AuditLog } from '@sallyport/webhooks/audit';
import { type Endpoints, type SecretCipher } from '@sallyport/webhooks/endpoints';
import type { Config } from '../config/config.ts';
import type { Storage } from '../database/storage.ts';
import type { DeclaredEndpoints } from './watch-endpoints-file.ts';
import { type Logger } from '../logging/log.ts';
/** The endpoints of the server, and their maintenance. */
export interface ServerEndpoints {
    readonly endpoints: Endpoints;
    /** Encrypts stored responses with secrets. */
    readonly responseCipher: SecretCipher;
    /** Releases the ids of endpoints that were deleted before a time in milliseconds since the epoch. */
    readonly prune: (before: number) => Promise<number>;
}
export declare function openEndpoints({ config, storage, log, audit, }: {
    readonly config: Pick<Config, 'encryptionKeys' | 'jwtSecrets'>;
    readonly storage: Pick<Storage, 'db' | 'reads'>;
    readonly log: Pick<Logger, 'debug' | 'error'>;
    /** Records the secrets that handshakes establish. @default no record */
    readonly audit?: Pick<AuditLog, 'record'>;
}): ServerEndpoints;
/** Describes endpoints whose secrets have no key, which a check of the newest endpoints finds. */
export declare function describeUnreadable(endpoints: Endpoints): Promise<string | undefined>;
/** Refuses to create an endpoint with the id of a declared one. */
export declare function protectDeclared(declared: Pick<DeclaredEndpoints, 'get'> | undefined, stored: Endpoints): Endpoints;
/** Finds declared endpoints before stored ones. */
export declare function combineEndpoints(declared: Pick<DeclaredEndpoints, 'get'> | undefined, stored: Endpoints): EndpointSource;
