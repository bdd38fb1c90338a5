import { readFleet } from '../processes/fleet.ts'
import type { ProcessStore } from '../processes/store.ts'
import type { AlertSource } from './alerts.ts'

/**
 * Finds roles that no living process has, and dependencies that are unavailable for a process.
 *
 * The alerts are `role_missing/<role>` and `<dependency>_unavailable`.
 */
export function watchProcesses(processes: Pick<ProcessStore, 'list'>): AlertSource {
  return {
    name: 'processes',
    async find() {
      const { missing, outages } = readFleet(await processes.list())
      return [
        ...missing.map(({ role, text }) => ({
          ...{ name: `role_missing/${role}`, severity: 'error' as const, text },
          title: `No ${role} runs`,
        })),
        ...outages.map(({ name, text }) => ({
          ...{ name: `${name}_unavailable`, severity: 'error' as const, text },
          title: `The ${name === 'queue' ? 'shared queue' : name} is unavailable`,
        })),
      ]
    },
  }
}
