/** A source of secrets by the name of their variable. */
export interface SecretStore {
    /** All values, the newest first; empty without the secret. */
    all(name: string): readonly string[];
    /** The whole value of a secret without rotation: a password may contain a comma. */
    one(name: string): string | undefined;
    /** Reads the secret again while the server runs. @throws Error when the store is unavailable */
    renew(name: string): Promise<RenewedSecret>;
    /** Why the store could not be read; the secret may exist. */
    failure(name: string): string | undefined;
    /** Whether the failure means that the secret does not exist. Reliable after all secrets have been read. */
    denies(name: string): boolean;
    /** A failure that a retry cannot repair: the secret exists but is invalid. */
    fault(name: string): string | undefined;
}
interface RenewedSecret {
    readonly values: readonly string[];
    /** How long the values may be used before they are read again. @default no limit */
    readonly leaseMs?: number;
}
export declare const webhookSecretName: (provider: string) => string;
/**
 * Reads secrets from the environment (separated by commas), then from a folder with one file per name (one secret per line).
 */
export declare function givenSecrets(environment: Readonly<Record<string, string | undefined>>, folder: string | undefined): SecretStore;
/** Combines two stores; the second is used for secrets that the first lacks. */
export declare function withFallback(first: SecretStore, second: SecretStore): SecretStore;
/** The secrets of a text: one per line, or a PEM block of several lines. */
export declare const splitSecrets: (text: string) => readonly string[];
export declare const secretsFile: (dataDirectory: string) => string;
/**
 * Creates secrets for development. A missing secret is generated once and stored in `secrets.json` of the data directory
 * with mode 0600. Without generators, nothing is written.
 * @throws Error for a malformed file, which is not overwritten
 */
export declare function developmentSecrets(dataDirectory: string, generators: Readonly<Record<string, () => string>>): SecretStore;
export declare const randomSecret: () => string;
export {};
