/**
 * The conformance suite of session stores. It takes the test functions as arguments, so any test runner works.
 *
 * @module
 */
export { testSessionStore, type SuiteExpectation, type SuiteRunner } from './session-store-suite.ts'
