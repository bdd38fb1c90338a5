/**
 * Notifiers: where the messages of notify functions go. Each is a function that makes a `Notifier` for the
 * dispatcher.
 *
 * @module
 */
export { httpNotifier, type HttpNotification, type HttpNotifierOptions } from './http.ts'
export { logNotifier, type NotifierLog } from './log.ts'
export type { PostOptions } from './post.ts'
export { slackNotifier } from './slack.ts'
