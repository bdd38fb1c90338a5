/**
 * Conformance suites for inboxes, consumers, failure limiters, secret sources and notifiers. They take the functions of any
 * test runner.
 *
 * @module
 */
export { createEvent, type Expectation, type TestRunner } from '@sallyport/webhooks/testing'
export { testConsumer, type ConsumerFixture, type ConsumerSuiteOptions } from './consumer.ts'
export {
  testFailureLimiter,
  type FailureLimiterFixture,
  type FailureLimiterFixtureOptions,
} from './failure-limiter.ts'
export type { InboxFixture } from './inbox/context.ts'
export { testInbox } from './inbox/suite.ts'
export { testNotifier, type NotifierFixture, type NotifierUnderTest } from './notifier.ts'
export { claimAll, createDelivery, getDetail, listEventIds, settleAll } from './records.ts'
export { testReplayJobs, type ReplayJobsFixture } from './replay-jobs.ts'
export { testSecretSource, type SecretSourceFixture, type SecretSourceUnderTest } from './secret-source.ts'
