/**
 * The gateway as a listener of `node:http`.
 *
 * @module
 */
export { createNodeListener, type NodeListenerOptions } from './listener.ts'
