/**
 * The processes that share a database: their heartbeats, and the state of all of them together.
 *
 * @module
 */
export { readFleet, type Fleet, type FleetRole } from './fleet.ts'
export type { ProcessDependency, ProcessReport, ProcessState, ProcessStore } from './store.ts'
