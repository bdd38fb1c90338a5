import { readFleet } from '../processes/fleet.ts'
import { nameProcess, type ProcessStore } from '../processes/store.ts'
import type { AlertSource } from './alerts.ts'
import { formatList, toLevel } from './counts.ts'

/** The dependencies whose names say too little. */
const titles: ReadonlyMap<string, string> = new Map([
  ['queue', 'shared queue'],
  ['bodies', 'store of large bodies'],
])

/**
 * Finds roles that no living process has, dependencies that are unavailable for a process, and processes with a wrong clock.
 *
 * The alerts are `role_missing/<role>`, `<dependency>_unavailable` and `clock_wrong`.
 */
export function watchProcesses(processes: Pick<ProcessStore, 'list'>): AlertSource {
  return {
    name: 'processes',
    async find() {
      const states = await processes.list()
      const { missing, outages } = readFleet(states)
      const clocks = states.flatMap((state) =>
        state.wrongClock === undefined || state.isDead ? [] : `${nameProcess(state)}: ${state.wrongClock}`,
      )
      return [
        ...missing.map(({ role, text }) => ({
          ...{ name: `role_missing/${role}`, severity: 'error' as const, text },
          title: `No ${role} runs`,
        })),
        ...outages.map(({ name, text }) => ({
          ...{ name: `${name}_unavailable`, severity: 'error' as const, text },
          title: `The ${titles.get(name) ?? name} is unavailable`,
        })),
        ...(clocks.length === 0
          ? []
          : [
              {
                ...{ name: 'clock_wrong', severity: 'error' as const, level: toLevel(clocks.length) },
                ...{ title: 'A clock is wrong', text: formatList(clocks) },
              },
            ]),
      ]
    },
  }
}
