/**
 * Consumers of events and of deliveries on AWS Lambda.
 *
 * @module
 */
export type { RefusedMessage } from '../internal/deliver.ts'
export { createDeliveryHandler, type DeliveryHandlerOptions } from './delivery-handler.ts'
export { decodeMessage } from './decode-message.ts'
export {
  createSqsHandler,
  type SqsBatchResponse,
  type SqsEvent,
  type SqsHandlerOptions,
  type SqsRecord,
} from './handler.ts'
