/**
 * Vercel.
 *
 * Signed by HMAC-SHA1 of the body, in hexadecimal. The secret is the webhook's, shown once when it is
 * created; of an integration's webhook, its client secret.
 *
 * @module
 */
import { createDeploy } from '../deploy/provider.ts'

/** @see https://vercel.com/docs/webhooks/webhooks-api */
export const vercel = createDeploy({ name: 'vercel', header: 'x-vercel-signature' })
