/**
 * Notifiers for the dispatcher: they send the messages of notify functions over HTTP, to Slack or into a log.
 *
 * @module
 */
export { httpNotifier, type HttpNotification } from './http.ts'
export { logNotifier, type NotifierLog } from './log.ts'
export { slackNotifier } from './slack.ts'
