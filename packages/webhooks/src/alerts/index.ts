/**
 * Operational alerts: messages to operators about dead letters, quarantine, outages and failed verifications.
 *
 * @module
 */
export type { Alerts, AlertSource } from './alerts.ts'
export { createDiscordAlerts, createSlackAlerts, createTeamsAlerts } from './chat-targets.ts'
export { createHttpAlerts, type HttpAlert } from './http-target.ts'
export type { AlertTarget } from './send.ts'
export type { AlertState, AlertStore } from './store.ts'
