/**
 * The gateway as a listener of `node:http`, and providers out of modules that are named.
 *
 * @module
 */
export { createNodeListener, type NodeListenerOptions } from './listener.ts'
export { loadProviderModules, type ProviderModules } from './load-provider-modules.ts'
