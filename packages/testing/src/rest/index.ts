/**
 * The conformance suite for idempotency stores of `@sallyport/rest`.
 *
 * @module
 */
export { testIdempotencyStore } from './idempotency.ts'
