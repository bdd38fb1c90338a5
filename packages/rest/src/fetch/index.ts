/**
 * APIs on hosts of the Fetch standard: Bun, Deno, Cloudflare Workers, Next.js and others.
 *
 * @module
 */
export { createFetchHandler } from './fetch-handler.ts'
