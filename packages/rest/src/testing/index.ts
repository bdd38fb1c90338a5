/**
 * The conformance suite of idempotency stores. It takes the test functions as arguments, so any test runner works.
 *
 * @module
 */
export {
  testIdempotencyStore,
  type IdempotencyStoreFixture,
  type SuiteExpectation,
  type SuiteRunner,
} from './idempotency-store-suite.ts'
