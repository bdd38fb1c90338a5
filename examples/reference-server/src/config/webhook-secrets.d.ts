import { type SecretKeeper, type SecretSource } from '@sallyport/webhooks';
import { type SecretStore } from './secrets.ts';
export interface WebhookSecrets {
    readonly keeper: SecretKeeper;
    /** The current notices for the operator. */
    notices(): readonly string[];
    stop(): void;
}
export interface WebhookSecretsOptions {
    readonly store: SecretStore;
    readonly providers: readonly string[];
    /** Providers that may have no secret: failed reads are retried with a growing delay. @default none */
    readonly undecided?: readonly string[];
    /** Called once when a secret cannot be read or renewed, and once when it is available again. */
    readonly onChange: (text: string, error?: unknown) => void;
    /** A monotonic clock in milliseconds. @default performance.now */
    readonly now?: () => number;
}
/** The timeout of a lease, in milliseconds: longer than the timeout of the command. */
export declare const leaseTimeoutMs: number;
/** Creates a source of the providers' secrets in a store. */
export declare function webhookSecretSource(store: SecretStore, now: () => number): SecretSource;
/** Leases the secrets of all providers, and renews the leases before they end. */
export declare function leaseWebhookSecrets(options: WebhookSecretsOptions): Promise<WebhookSecrets>;
