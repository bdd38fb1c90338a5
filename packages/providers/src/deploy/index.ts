/**
 * A deployment platform: Vercel, and services that sign and speak as it does.
 *
 * Signed by HMAC-SHA1 of the body, in hexadecimal.
 *
 * @module
 */
export { createDeploy, deploy, type DeployOptions } from './provider.ts'
export { deployment, type DeployEvents } from './schemas.ts'
