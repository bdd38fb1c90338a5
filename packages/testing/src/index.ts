/**
 * Conformance suites for inboxes, consumers, failure limiters, secret sources and notifiers. They take the functions of any
 * test runner.
 *
 * @module
 */
export { createEvent } from '@sallyport/webhooks/testing'
export { testConsumer, type ConsumerFixture } from './consumer.ts'
export { testFailureLimiter } from './failure-limiter.ts'
export { testInbox } from './inbox/suite.ts'
export { testNotifier, type NotifierUnderTest } from './notifier.ts'
export { claimAll, createDelivery, getDetail, listEventIds, settleAll } from './records.ts'
export { testReplayJobs } from './replay-jobs.ts'
export { testSecretSource, type SecretSourceUnderTest } from './secret-source.ts'
