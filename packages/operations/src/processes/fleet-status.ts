import { readFleet, type FleetRole, type ProcessState } from '@sallyport/webhooks/processes'
import type { Health } from '../traffic/status.ts'

/** The state of all processes together. */
export interface FleetStatus extends Health {
  readonly roles: readonly FleetRole[]
  /** Whether a role has no living process. */
  readonly isIncomplete: boolean
}

/** Adds the states of all processes to that of the host. */
export function joinHealth(own: Health, states: readonly ProcessState[]): FleetStatus {
  const { roles, missing, outages, notices } = readFleet(states)
  const seen = new Set(outages.map(({ name }) => name))
  return {
    roles,
    isIncomplete: missing.length > 0,
    dependencies: [
      ...own.dependencies.filter(({ name }) => !seen.has(name)),
      ...outages.map(({ name, text }) => ({ name, status: 'unavailable' as const, detail: text })),
    ],
    notices: [
      ...own.notices,
      ...missing.map(({ text }) => text),
      ...notices
        .filter(({ text }) => !own.notices.includes(text))
        .map(({ text, processes }) => `${processes.join(', ')}: ${text}`),
    ],
  }
}
