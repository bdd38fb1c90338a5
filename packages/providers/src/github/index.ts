/**
 * GitHub: the code host under its real name.
 *
 * Signed by HMAC-SHA256 of the body, in hexadecimal after `sha256=`. The secret is the webhook's own, as it
 * is: any text.
 *
 * @module
 */
import { createCodehost } from '../codehost/provider.ts'

/** @see https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const github = createCodehost({ name: 'github' })
