/**
 * Vercel under the neutral name `deploy`, and compatible services.
 *
 * Signed by HMAC-SHA1 of the body, in hexadecimal. The secret is the webhook's, shown once when it is
 * created; of an integration's webhook, its client secret.
 *
 * @module
 */
export { createDeploy, deploy, type DeployOptions } from './provider.ts'
export { deployment, type DeployEvents } from './schemas.ts'
