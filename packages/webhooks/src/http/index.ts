/**
 * Buses over HTTP: a publisher that has batches, limits, retries and failures in hand, for any format.
 *
 * @module
 */
export type { HttpFormat, HttpMessage, HttpReading } from './format.ts'
export { httpPublisher, type HttpPublisherOptions } from './publisher.ts'
export type { HttpClientOptions } from './send.ts'
