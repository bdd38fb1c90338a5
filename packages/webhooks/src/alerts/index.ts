/**
 * Operational alerts: messages to operators about dead letters, quarantine, outages and failed verifications.
 *
 * @module
 */
export { createAlerts, type Alerts, type AlertSource, type AlertsOptions } from './alerts.ts'
export { createDiscordAlerts, createSlackAlerts, createTeamsAlerts } from './chat-targets.ts'
export type { Finding } from './evaluate.ts'
export { watchEndpoints, watchServices } from './failing-sources.ts'
export { createHttpAlerts, type HttpAlert } from './http-target.ts'
export { watchLanes } from './lanes.ts'
export type { AlertMessage } from './message.ts'
export type { AlertTarget } from './send.ts'
export { watchProcesses } from './process-source.ts'
export { watchConsumers, watchInbox, watchVerification } from './sources.ts'
export { createMemoryAlertStore, type AlertState, type AlertStore } from './store.ts'
