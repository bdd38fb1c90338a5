/**
 * Sources of reconciliation that a JSON or YAML file declares. For Node.js.
 *
 * @module
 */
export { readReconcileFile } from './read-reconcile-file.ts'
