/**
 * Subscriptions that a JSON or YAML file declares. For Node.js.
 *
 * @module
 */
export { readSubscriptionsFile } from './read-subscriptions-file.ts'
