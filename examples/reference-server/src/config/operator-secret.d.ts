import type { SecretStore } from './secrets.ts';
/** The secret that signs notifications. */
export declare const operatorSecretName = "OPERATOR_SECRET";
export declare const randomOperatorSecret: () => string;
/** Reports problems of the secret when OPERATOR_URL is set. Outside production, a missing secret is generated. */
export declare function operatorProblems(given: SecretStore, production: boolean): readonly string[];
/** @throws Error for a missing or malformed secret; the message does not contain the secret */
export declare function usableOperatorSecrets(secrets: readonly string[]): readonly string[];
