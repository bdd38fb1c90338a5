/**
 * `createWebhooks`, a `node:http` listener for a gateway, a loader of providers from named modules, and responses before the end of a body.
 *
 * @module
 */
export { createNodeListener, type NodeListener } from './listener.ts'
export { loadProviderModules, type ProviderModules } from './load-provider-modules.ts'
export { createWebhooks } from '../webhooks/create-webhooks.ts'
export { createMemoryDatabase } from '../memory/database.ts'
export type { WebhookAlerts } from '../webhooks/alerts.ts'
export type { WebhookProcess } from '../webhooks/processes.ts'
export type { WebhookDatabase } from '../webhooks/database.ts'
export type { EndpointOperations, WebhookOperations } from '../webhooks/operations.ts'
export type { WebhooksOptions } from '../webhooks/options.ts'
export type { WebhookRetention } from '../webhooks/upkeep.ts'
export type { Webhooks } from '../webhooks/webhooks.ts'
