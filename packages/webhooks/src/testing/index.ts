/**
 * Conformance suites for providers and publishers, and helpers for other suites. They take the functions of any test
 * runner.
 *
 * @module
 */
export {
  checkLargeBatch,
  checkUnserializableEvents,
  createEvent,
  createUnusualEvents,
  unserializableTestTitle,
} from './events.ts'
export {
  createSampleEvent,
  handleSample,
  type SampleEventOptions,
  type SampleSource,
} from './handle-sample.ts'
export { flipBit, flipCharacter } from './mutations.ts'
export type { ProviderChallenge } from './provider-handshake.ts'
export type { ProviderCapability, ProviderSample, ProviderSuiteOptions } from './provider-options.ts'
export { testProvider } from './provider-suite.ts'
export {
  encodeSampleBody,
  presentSample,
  renewSample,
  type FreshValues,
  type ServiceSample,
} from './service-samples.ts'
export { testService, type ServiceSuiteOptions, type UnsignedDelivery } from './service-suite.ts'
export { testPublisher, type PublisherFixture } from './publisher-suite.ts'
export type { Expectation, TestRunner } from './runner.ts'
