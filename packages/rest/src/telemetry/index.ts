/**
 * Traces and metrics of an API by the semantic conventions of OpenTelemetry. Only this entry needs `@opentelemetry/api`.
 *
 * @module
 */
export { observeApi, type ObserveOptions } from './observe-api.ts'
export { createRequestObserver, type RequestObserver } from './request-observer.ts'
export { getTraceFields } from './trace-fields.ts'
