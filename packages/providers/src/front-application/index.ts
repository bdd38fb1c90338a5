/**
 * Front, webhooks of applications.
 *
 * Signed by HMAC-SHA256 of the time and the compact JSON, in base64. The secret is the application's key.
 *
 * @module
 */
import { createMessaging } from '../messaging/provider.ts'

/** @see https://dev.frontapp.com/docs/application-webhooks */
export const frontApplication = createMessaging({
  name: 'front-application',
  header: 'x-front-signature',
  webhook: 'application',
})
