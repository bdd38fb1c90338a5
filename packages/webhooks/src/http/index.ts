/**
 * A publisher for buses over HTTP. It batches events, retries and reports failures for any event format. Consumers load the
 * data of large events with `fetchData`.
 *
 * @module
 */
export type { HttpClientOptions, HttpMessage, HttpReading } from './client.ts'
export { fetchData } from './fetch-data.ts'
export { createHttpPublisher, type HttpFormat, type HttpPublisherOptions } from './publisher.ts'
