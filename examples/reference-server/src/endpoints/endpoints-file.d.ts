import { type AnyProvider, type GatewayEndpoint } from '@sallyport/webhooks';
import type { SecretStore } from '../config/secrets.ts';
export interface EndpointsFileOptions {
    /** A JSON file if the name ends with `.json`, otherwise YAML. */
    readonly path: string;
    readonly providers: readonly AnyProvider[];
    readonly secrets: Pick<SecretStore, 'renew'>;
}
/** The endpoints of a file by id, or its problems. No problem contains a secret. */
export type EndpointsFile = {
    readonly endpoints: ReadonlyMap<string, GatewayEndpoint>;
    readonly problems?: never;
} | {
    readonly problems: readonly string[];
    readonly endpoints?: never;
};
/** Reads and validates a file of endpoints, with the secrets that it names. */
export declare function readEndpointsFile({ path, providers, secrets, }: EndpointsFileOptions): Promise<EndpointsFile>;
