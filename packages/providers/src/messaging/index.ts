/**
 * Front under the neutral name `messaging`, and compatible services.
 *
 * Signed by HMAC-SHA1 of the compact JSON, in base64. The secret is the API secret; of an application, its
 * key.
 *
 * @module
 */
export { createMessaging, messaging, type MessagingOptions } from './provider.ts'
export { assigneeChanged, messageReceived, messageSent, type MessagingEvents } from './schemas.ts'
