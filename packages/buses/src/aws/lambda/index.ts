/**
 * Consumers of events and of deliveries on AWS Lambda.
 *
 * @module
 */
export { createDeliveryHandler } from './delivery-handler.ts'
export { decodeMessage } from './decode-message.ts'
export { createSqsHandler, type SqsEvent } from './handler.ts'
