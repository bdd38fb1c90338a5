/**
 * Endpoints that a JSON or YAML file declares and that follow its changes. For Node.js.
 *
 * @module
 */
export { openEndpointsFile, type EndpointsFileOptions } from './open-endpoints-file.ts'
