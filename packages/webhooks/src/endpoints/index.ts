/**
 * Endpoints that are created at run time: an address and secrets per customer, cached, and encrypted in a store.
 *
 * @module
 */
export type { AddedSecret, Endpoint, Endpoints, SaveOptions, TakenSecret } from './contract.ts'
export { createEndpoints } from './endpoints.ts'
export { createSecretCipher, parseEncryptionKeys } from './secret-cipher.ts'
export type { TestDeliverySender } from './test-deliveries.ts'
export type { EndpointFilter, EndpointQuery, EndpointRecord, EndpointStore, SecretCipher } from './store.ts'
