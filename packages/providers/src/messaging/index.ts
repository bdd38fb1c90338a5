/**
 * A customer inbox: Front, and services that sign and speak as it does.
 *
 * Signed by HMAC-SHA1 of the compact JSON, in base64.
 *
 * @module
 */
export { createMessaging, messaging, type MessagingOptions } from './provider.ts'
export { assigneeChanged, messageReceived, messageSent, type MessagingEvents } from './schemas.ts'
