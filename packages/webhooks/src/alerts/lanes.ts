import type { LaneSummary, OperatorInbox } from '../ports/ports.ts'
import type { AlertSource } from './alerts.ts'
import { formatCount, formatList, toLevel } from './counts.ts'
import { findNames, type NamedEndpoints } from './endpoint-names.ts'
import { formatDuration } from './message.ts'
import { truncate } from './truncate.ts'

/** The most lanes of a state that are read. */
const limit = 100

/**
 * Finds lanes whose first event fails, or that are paused with events, for longer than `oldestPendingMs` milliseconds.
 *
 * The alerts are `lanes_stuck` and `lanes_paused`. The texts have the names of the endpoints that received the events.
 */
export function watchLanes(
  inbox: Required<Pick<OperatorInbox, 'listLanes'>>,
  {
    oldestPendingMs = 300_000,
    endpoints,
  }: { readonly oldestPendingMs?: number; readonly endpoints?: NamedEndpoints | undefined } = {},
): AlertSource {
  async function findWaiting(state: 'stuck' | 'paused', now: number): Promise<readonly LaneSummary[]> {
    const lanes = await inbox.listLanes({ order: 'oldest', state, limit })
    return lanes.filter(({ first }) => first !== undefined && now - first.since > oldestPendingMs)
  }
  return {
    name: 'lanes',
    async find(now) {
      const [stuck, paused] = await Promise.all([findWaiting('stuck', now), findWaiting('paused', now)])
      const toName = await findNames(
        endpoints,
        [...stuck, ...paused].map(({ first }) => first?.endpoint),
      )
      const describe = ({ name, first }: LaneSummary) => {
        const lane = truncate(name, 80)
        const endpoint = first?.endpoint
        const label = endpoint === undefined ? lane : toName(endpoint)
        const facts = [
          ...(endpoint === undefined || endpoint === name ? [] : [`lane ${lane}`]),
          ...(first?.lastError === undefined ? [] : [truncate(first.lastError, 80)]),
        ]
        return facts.length === 0 ? label : `${label} (${facts.join(', ')})`
      }
      const waited = formatDuration(oldestPendingMs)
      const count = (lanes: readonly LaneSummary[], one: string, many: string) =>
        `${formatCount(lanes.length, one, many, limit)}: ${formatList(lanes.map(describe))}.`
      return [
        ...(stuck.length === 0
          ? []
          : [
              {
                ...{ name: 'lanes_stuck', severity: 'error' as const, level: toLevel(stuck.length) },
                title: 'Lanes are stuck',
                text: `The first event fails for more than ${waited} in ${count(stuck, 'lane', 'lanes')} Repair the cause, or skip the event.`,
              },
            ]),
        ...(paused.length === 0
          ? []
          : [
              {
                ...{ name: 'lanes_paused', severity: 'warning' as const, level: toLevel(paused.length) },
                title: 'Paused lanes have events',
                text: `Events wait for more than ${waited} in ${count(paused, 'paused lane', 'paused lanes')} Repair the cause, then resume the lanes.`,
              },
            ]),
      ]
    },
  }
}
