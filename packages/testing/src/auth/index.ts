/**
 * Conformance suites for stores of `@sallyport/auth`.
 *
 * @module
 */
export { testApiKeyStore } from './api-keys.ts'
export { testSessionStore } from './sessions.ts'
