import type { GatewayEndpoint } from '@sallyport/webhooks';
import { type Logger } from '../logging/log.ts';
import { type EndpointsFileOptions } from './endpoints-file.ts';
/** The endpoints of a file that is read again when it changes. */
export interface DeclaredEndpoints {
    get(id: string): GatewayEndpoint | undefined;
    /** The current notices for the operator. */
    notices(): readonly string[];
    stop(): void;
}
export interface WatchOptions extends EndpointsFileOptions {
    readonly log: Pick<Logger, 'info' | 'debug' | 'error'>;
    /** In milliseconds. @default 2,000 */
    readonly intervalMs?: number;
}
/**
 * Reads a file of endpoints, and reads it again after a change. A file with a problem leaves the last valid endpoints in use.
 *
 * @throws Error when the first read finds a problem
 */
export declare function watchEndpointsFile({ log, intervalMs, ...file }: WatchOptions): Promise<DeclaredEndpoints>;
