import { type SecretStore } from './secrets.ts';
export interface SecretsCommandOptions {
    /** A shell command; its last argument is the name of the secret. */
    readonly command: string;
    /** How long a secret may be used. */
    readonly leaseMs: number;
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** @default {@link commandTimeoutMs} */
    readonly timeoutMs?: number;
}
/** The timeout of a command, in milliseconds. */
export declare const commandTimeoutMs = 10000;
/**
 * Reads secrets from a command. The command prints one secret per line, or nothing if the secret does not exist. An exit
 * code other than 0 also means "no secret" if the command has returned another secret; otherwise the
 * store is unavailable.
 * No message contains the output of the command.
 */
export declare function secretsFromCommand(options: SecretsCommandOptions): SecretStore;
