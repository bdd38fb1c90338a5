/**
 * Conformance suites for providers and publishers, and helpers for other suites. They take the functions of any test
 * runner.
 *
 * @module
 */
export { createEvent } from './events.ts'
export { createSampleEvent, handleSample } from './handle-sample.ts'
export type { ProviderSample } from './provider-options.ts'
export { testProvider } from './provider-suite.ts'
export { encodeSampleBody, presentSample, renewSample, type ServiceSample } from './service-samples.ts'
export { testService } from './service-suite.ts'
export { testPublisher } from './publisher-suite.ts'
export type { TestRunner } from './runner.ts'
