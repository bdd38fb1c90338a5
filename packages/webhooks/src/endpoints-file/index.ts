/**
 * Endpoints that a JSON or YAML file declares and that follow its changes. For Node.js.
 *
 * @module
 */
export { openEndpointsFile } from './open-endpoints-file.ts'
