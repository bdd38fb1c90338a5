/**
 * Conformance suites for providers, inboxes, publishers, queues, notifiers, sources of secrets and failure limiters; they
 * take the functions of any test runner.
 *
 * @module
 */
export {
  testFailureLimiter,
  type FailureLimiterFixture,
  type FailureLimiterFixtureOptions,
} from './failure-limiter-suite.ts'
export type { InboxFixture } from './inbox-context.ts'
export { testInbox } from './inbox-suite.ts'
export { flipBit, flipCharacter } from './mutations.ts'
export { testNotifier, type NotifierFixture, type NotifierUnderTest } from './notifier-suite.ts'
export type { ProviderChallenge } from './provider-challenge.ts'
export type { ProviderCapability, ProviderSuiteOptions } from './provider-context.ts'
export type { ProviderSample } from './provider-sample.ts'
export { testProvider } from './provider-suite.ts'
export { testPublisher, type PublisherFixture } from './publisher-suite.ts'
export { testQueue, type QueueFixture, type QueueFixtureOptions } from './queue-suite.ts'
export type { Expectation, TestRunner } from './runner.ts'
export {
  testSecretSource,
  type SecretSourceFixture,
  type SecretSourceUnderTest,
} from './secret-source-suite.ts'
