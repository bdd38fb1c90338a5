/**
 * A publisher for buses over HTTP. It batches events, retries and reports failures for any event format.
 *
 * @module
 */
export type { HttpClientOptions, HttpMessage, HttpReading } from './client.ts'
export { httpPublisher, type HttpFormat, type HttpPublisherOptions } from './publisher.ts'
