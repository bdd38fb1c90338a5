/**
 * The conformance suite of session stores. It receives the test functions, so any runner can run it.
 *
 * @module
 */
export { testSessionStore, type SuiteExpectation, type SuiteRunner } from './session-store-suite.ts'
