/** The end of the message for a secret that is not UTF-8 text. */
export declare const notText = "is not text in UTF-8: use text, such as the output of \"openssl rand -hex 32\"";
/**
 * Decodes a secret as UTF-8. Random bytes are rejected: most invalid bytes would become the same replacement character.
 *
 * @throws Error with the code `NOT_UTF8`
 */
export declare function decodeSecret(bytes: Uint8Array): string;
/** Reads a secret from its file; undefined if the file does not exist. */
export declare function readSecretFile(folder: string, name: string): string | undefined;
/** Describes an existing file that cannot be used. */
export declare const unreadable: (name: string, error: unknown) => string;
export declare const withoutNewline: (text: string) => string;
type Environment = Readonly<Record<string, string | undefined>>;
/** Settings that may contain a password or a key; files in `SECRETS_DIR` may hold them too. */
export declare const secretAddresses: readonly ['DATABASE_URL', 'BUS_URL', 'QUEUE_URL', 'ALERT_URLS'];
/** Adds missing addresses from the files in `SECRETS_DIR` to the environment. */
export declare function withSecretAddresses(environment: Environment): {
    readonly environment: Environment;
    readonly problems: readonly string[];
};
export {};
