import type { Settings } from './settings.ts';
import { type AnyProvider } from '@sallyport/webhooks';
import { type PrivateKeyInput } from '@sallyport/auth';
import type { Config } from './config.ts';
type Environment = Readonly<Record<string, string | undefined>>;
/** Reports settings that contradict each other or the file system. With an invalid setting, the listeners are not compared. */
export declare function settingConflicts(settings: Settings, environment: Environment, areValid: boolean): readonly string[];
/** Reports unknown and unregistered providers in QUEUE_PILOTS. */
export declare function pilotProblems(pilots: readonly string[], available: readonly AnyProvider[], registered: readonly AnyProvider[]): readonly string[];
/** Reads the private keys of `JWT_KEYS` and adds its problems to the list. */
export declare function readJwtKeys(text: string | undefined, problems: string[]): readonly PrivateKeyInput[];
/** Reports short secrets, and keys and secrets that cannot be used together, such as duplicates. */
export declare function jwtProblems(keys: readonly PrivateKeyInput[], secrets: readonly string[]): readonly string[];
/** Reports secrets that the signature scheme of the provider rejects; no message contains a secret. */
export declare function unusableSecretProblems({ providers, givenSecrets, }: Pick<Config, 'providers' | 'givenSecrets'>): Promise<readonly string[]>;
export {};
