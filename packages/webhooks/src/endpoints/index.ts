/**
 * Endpoints that are created at run time: an address and secrets per customer, cached, and encrypted in a store.
 *
 * @module
 */
export {
  createEndpoints,
  type AddedSecret,
  type Endpoint,
  type Endpoints,
  type EndpointsOptions,
  type SaveOptions,
  type TakenSecret,
} from './endpoints.ts'
export { createMemoryEndpointStore } from './memory-store.ts'
export { createSecretCipher, parseEncryptionKeys } from './secret-cipher.ts'
export { createTestDeliverySender, type TestDeliverySender } from './test-deliveries.ts'
export type {
  EndpointFilter,
  EndpointPosition,
  EndpointQuery,
  EndpointRecord,
  EndpointStatus,
  EndpointStore,
  SecretCipher,
  SecretRecord,
} from './store.ts'
export type { TestSamples } from '../provider/catalogue.ts'
