/**
 * GitHub.
 *
 * Signed by HMAC-SHA256 of the body, in hexadecimal after `sha256=`. The secret is the text that was set
 * for the webhook.
 *
 * @module
 */
import { createCodehost } from '../codehost/provider.ts'

/** @see https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const github = createCodehost({ name: 'github' })
