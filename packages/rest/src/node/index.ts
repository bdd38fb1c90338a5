/**
 * APIs on `node:http` and Express, and a server with timeouts, pipelining limits and a graceful stop.
 *
 * @module
 */
export { listen, type HttpServer } from './listen.ts'
export {
  createNodeListener,
  getRequestId,
  type NodeListener,
  type NodeListenerOptions,
} from './node-listener.ts'
