/**
 * APIs on hosts of the Fetch standard: Bun, Deno, Cloudflare Workers, Next.js and others.
 *
 * @module
 */
export { createFetchHandler, type FetchHandlerOptions } from './fetch-handler.ts'
