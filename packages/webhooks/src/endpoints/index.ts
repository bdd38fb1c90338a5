/**
 * Endpoints that are created at run time: an address and secrets per customer, cached, and encrypted in a store.
 *
 * @module
 */
export type { EndpointCacheOptions } from './cache.ts'
export {
  createEndpoints,
  type AddedSecret,
  type ChangeOptions,
  type Endpoint,
  type EndpointChange,
  type Endpoints,
  type EndpointsOptions,
  type EstablishedSecret,
  type NewEndpoint,
  type SaveOptions,
  type TakenSecret,
} from './endpoints.ts'
export { memoryEndpointStore } from './memory-store.ts'
export { createSecretCipher, parseEncryptionKeys } from './secret-cipher.ts'
export {
  createTestDeliverySender,
  type TestDeliveryResult,
  type TestDeliverySender,
  type TestDeliverySenderOptions,
} from './test-deliveries.ts'
export type {
  EndpointChanges,
  EndpointFilter,
  EndpointPosition,
  EndpointQuery,
  EndpointRecord,
  EndpointStatus,
  EndpointStore,
  SaveInTransaction,
  SecretCipher,
  SecretRecord,
} from './store.ts'
export type { TestSamples } from '../provider/catalogue.ts'
