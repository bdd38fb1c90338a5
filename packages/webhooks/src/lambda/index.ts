/**
 * A handler of AWS Lambda for a gateway.
 *
 * @module
 */
export { createLambdaHandler, type LambdaHandlerOptions } from './handler.ts'
export type { LambdaEvent, LambdaResult } from './event.ts'
