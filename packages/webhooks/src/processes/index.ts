/**
 * The processes that share a database: their heartbeats, and the state of all of them together.
 *
 * @module
 */
export { readFleet, type Fleet, type FleetRole } from './fleet.ts'
export {
  keptForMs,
  type ProcessDependency,
  type ProcessHealth,
  type ProcessReport,
  type ProcessState,
  type ProcessStore,
} from './store.ts'
