/**
 * Consumers of events on AWS Lambda.
 *
 * @module
 */
export { decodeMessage } from './decode-message.ts'
export {
  createSqsHandler,
  type SqsBatchResponse,
  type SqsEvent,
  type SqsHandlerOptions,
  type SqsRecord,
} from './handler.ts'
