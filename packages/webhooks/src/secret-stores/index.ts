/**
 * Secrets of the environment, of files and of a command, which are read again as they rotate. For Node.js.
 *
 * @module
 */
export { commandSecrets, type CommandSecretsOptions } from './command.ts'
export { describeUnreadable, readSecretFile } from './files.ts'
export { leaseSecrets, type LeasedSecrets, type LeaseSecretsOptions } from './lease-secrets.ts'
export {
  environmentSecrets,
  toSecretSource,
  withFallback,
  type EnvironmentSecretsOptions,
  type RenewedSecret,
  type SecretStore,
} from './store.ts'
