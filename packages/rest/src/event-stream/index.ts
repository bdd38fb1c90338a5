/**
 * Server-Sent Events: responses that stay open and send events as they occur.
 *
 * @module
 */
export { answerEventStream, type EventStreamResult } from './answer-event-stream.ts'
export type { ServerSentEvent } from './server-sent-event.ts'
