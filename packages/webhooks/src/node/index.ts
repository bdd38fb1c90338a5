/**
 * A `node:http` listener for a gateway, a loader of providers from named modules, and responses before the end of a body.
 *
 * @module
 */
export { createNodeListener, type NodeListener, type NodeListenerOptions } from './listener.ts'
export { loadProviderModules, type ProviderModules } from './load-provider-modules.ts'
