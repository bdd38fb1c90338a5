/**
 * The gateway as a listener of `node:http`, providers out of modules that are named, and answers ahead of bodies.
 *
 * @module
 */
export { endLingering, isLingering } from './linger.ts'
export { createNodeListener, type NodeListenerOptions } from './listener.ts'
export { loadProviderModules, type ProviderModules } from './load-provider-modules.ts'
