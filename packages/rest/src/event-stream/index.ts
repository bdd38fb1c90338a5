/**
 * Server-Sent Events: responses that stay open and send events as they occur.
 *
 * @module
 */
export {
  answerEventStream,
  type EventStream,
  type EventStreamContext,
  type EventStreamResult,
} from './answer-event-stream.ts'
export { formatServerSentEvent, type ServerSentEvent } from './server-sent-event.ts'
