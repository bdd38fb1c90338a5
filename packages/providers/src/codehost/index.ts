/**
 * A code host: GitHub, and services that sign and speak as it does.
 *
 * Signed by HMAC-SHA256 of the body, in hexadecimal after `sha256=`. The secret is the webhook's own, as it
 * is: any text.
 *
 * @module
 */
export { codehost, createCodehost, type CodehostOptions } from './provider.ts'
export { packagePublished, workflowRunCompleted, type CodehostEvents } from './schemas.ts'
