/**
 * The conformance suite of idempotency stores. It receives the test functions, so any runner can run it.
 *
 * @module
 */
export {
  testIdempotencyStore,
  type IdempotencyStoreFixture,
  type SuiteExpectation,
  type SuiteRunner,
} from './idempotency-store-suite.ts'
