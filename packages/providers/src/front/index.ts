/**
 * Front, webhooks of rules.
 *
 * Signed by HMAC-SHA1 of the compact JSON, in base64. The secret is the API secret.
 *
 * @module
 */
import { createMessaging } from '../messaging/provider.ts'

/** @see https://dev.frontapp.com/docs/rule-webhooks */
export const front = createMessaging({ name: 'front', header: 'x-front-signature' })
