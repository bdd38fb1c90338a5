import type { PrivateKeyInput } from '@sallyport/auth';
import type { AnyProvider } from '@sallyport/webhooks';
import type { ProviderModules } from '@sallyport/webhooks/node';
import { type BusRoute } from '../engines/routes-file.ts';
import { type Admin, type DevelopmentAdmin } from '../users/first-admin.ts';
import { type Settings } from './settings.ts';
import { type SecretStore } from './secrets.ts';
export interface Config {
    readonly settings: Settings;
    readonly production: boolean;
    /** Private keys for access tokens: the first signs, all verify. With none, the secrets sign. */
    readonly jwtKeys: readonly PrivateKeyInput[];
    /** The first signs, all verify. */
    readonly jwtSecrets: readonly string[];
    /** The keys of endpoints' secrets: the first encrypts, all decrypt. With none, no secret can be stored. */
    readonly encryptionKeys: readonly Uint8Array[];
    /** The first admin of the secrets. */
    readonly admin: Admin | undefined;
    /** A generated first admin for development, if the secrets have none. */
    readonly developmentAdmin: DevelopmentAdmin | undefined;
    readonly providers: readonly AnyProvider[];
    /** The routes of ROUTES_FILE; empty without the setting. */
    readonly routes: readonly BusRoute[];
    /** Registered providers of modules that replace built-in ones. */
    readonly replaced: readonly string[];
    /** The store of the providers' secrets. */
    readonly secrets: SecretStore;
    /** The store without generated secrets. */
    readonly givenSecrets: SecretStore;
    /** Providers of the default list that are not registered because they have no secret. */
    readonly leftOut: readonly string[];
    /** Providers of the default list that are registered while the store fails to return their secrets. */
    readonly undecided: readonly string[];
    /** Providers without a secret, whose deliveries need an endpoint. */
    readonly endpointOnly: readonly string[];
    /** Optional secrets that count as unset because the store failed, each with the reason. */
    readonly unasked: readonly {
        readonly name: string;
        readonly why: string;
    }[];
    /** Whether the server uses generated secrets from `secrets.json` of the data directory. */
    readonly usesDevelopmentSecrets: boolean;
}
export type ConfigResult = {
    readonly config: Config;
} | {
    readonly problems: readonly string[];
};
type Environment = Readonly<Record<string, string | undefined>>;
/**
 * Reads the configuration from the environment, or lists all its problems.
 * With a problem, nothing is written. Outside production, missing secrets are generated in the data directory.
 */
export declare function readConfig(environment: Environment, builtIn: readonly AnyProvider[], modules?: ProviderModules, generic?: ProviderModules): ConfigResult;
export {};
