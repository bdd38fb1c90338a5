/**
 * Secrets of the environment, of files and of a command, which are read again as they rotate. For Node.js.
 *
 * @module
 */
export { commandSecrets } from './command.ts'
export { describeUnreadable, readSecretFile } from './files.ts'
export { leaseSecrets, type LeasedSecrets } from './lease-secrets.ts'
export { environmentSecrets, toSecretSource, withFallback, type SecretStore } from './store.ts'
