/**
 * Conformance suites for inboxes and other stores, consumers, failure limiters, secret sources and notifiers. They take the
 * functions of any test runner.
 *
 * @module
 */
export { testConsumer, type ConsumerFixture } from './consumer.ts'
export { testFailureLimiter } from './failure-limiter.ts'
export { testInbox } from './inbox/suite.ts'
export { testNotifier, type NotifierUnderTest } from './notifier.ts'
export { testSecretSource, type SecretSourceUnderTest } from './secret-source.ts'
export { testStores } from './stores/index.ts'
