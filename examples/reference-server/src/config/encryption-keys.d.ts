/** The keys that encrypt the secrets of endpoints. */
export declare const encryptionKeysName = "ENCRYPTION_KEYS";
export declare const randomEncryptionKey: () => string;
/** Parses the keys, newest first, and adds their problems to the list. No problem holds a part of a key. */
export declare function readEncryptionKeys(texts: readonly string[], problems: string[]): readonly Uint8Array[];
