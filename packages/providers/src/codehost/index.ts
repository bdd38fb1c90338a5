/**
 * GitHub under the neutral name `codehost`, and compatible services.
 *
 * Signed by HMAC-SHA256 of the body, in hexadecimal after `sha256=`. The secret is the text that was set
 * for the webhook.
 *
 * @module
 */
export { codehost, createCodehost, type CodehostOptions } from './provider.ts'
export { packagePublished, workflowRunCompleted, type CodehostEvents } from './schemas.ts'
