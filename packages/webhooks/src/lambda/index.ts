/**
 * A handler of AWS Lambda for a gateway.
 *
 * @module
 */
export { createLambdaHandler, type LambdaHandlerOptions } from './handler.ts'
export type {
  LambdaEvent,
  LambdaEventAlb,
  LambdaEventLattice,
  LambdaEventV1,
  LambdaEventV2,
  LambdaResult,
} from './event.ts'
