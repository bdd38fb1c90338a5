/**
 * A customer inbox: Front, and services that sign and speak as it does.
 *
 * Signed by HMAC-SHA1 of the compact JSON, in base64. The secret is the API secret; of an application, its
 * key.
 *
 * @module
 */
export { createMessaging, messaging, type MessagingOptions } from './provider.ts'
export { assigneeChanged, messageReceived, messageSent, type MessagingEvents } from './schemas.ts'
