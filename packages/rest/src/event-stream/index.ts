/**
 * Responses that stay open and send events as they occur: Server-Sent Events and JSON lines.
 *
 * @module
 */
export { answerEventStream, type EventStreamResult } from './answer-event-stream.ts'
export type { ServerSentEvent } from './server-sent-event.ts'
