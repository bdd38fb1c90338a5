/**
 * Typeform, responses to forms.
 *
 * Signed by HMAC-SHA256 of the body, in base64 after `sha256=`. The secret is the one of the webhook.
 *
 * @module
 */
export { typeform } from './provider.ts'
export { responseSubmitted, type TypeformEvents } from './schemas.ts'
