import type { SecretStore } from '../config/secrets.ts';
/** Events for a bus. An event goes to the buses of all routes whose conditions it meets. */
export interface BusRoute {
    /** `database`, or the name of the variable with the address of the bus. */
    readonly to: string;
    /** The address of the bus; undefined for the database. */
    readonly url?: string;
    readonly events?: readonly string[];
    readonly endpoints?: readonly string[];
}
export interface RoutesFileOptions {
    readonly path: string;
    /** The address of the setting BUS_URL. */
    readonly busUrl: string | undefined;
    /** Has the addresses of further buses. */
    readonly secrets: Pick<SecretStore, 'one' | 'failure'>;
    /** The names of all providers. */
    readonly providers: readonly string[];
}
/** Reads and validates ROUTES_FILE with the addresses that it names. No problem quotes an address. */
export declare function readRoutesFile({ path, busUrl, secrets, providers }: RoutesFileOptions): {
    readonly routes: readonly BusRoute[];
    readonly problems: readonly string[];
};
