/**
 * Notifiers for the dispatcher: they send the messages of notify functions over HTTP, to Slack or into a log.
 *
 * @module
 */
export { createHttpNotifier, type HttpNotification } from './http.ts'
export { createLogNotifier, type NotifierLog } from './log.ts'
export { createSlackNotifier } from './slack.ts'
