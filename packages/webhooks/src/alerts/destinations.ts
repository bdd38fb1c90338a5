import type { DestinationOperations, DestinationSummary } from '../destinations/operations.ts'
import type { AlertSource } from './alerts.ts'
import { formatCount, formatList, toLevel } from './counts.ts'
import { truncate } from './truncate.ts'

/**
 * Finds destinations whose circuit breaker is open, and paused ones with events.
 *
 * The alerts are `destinations_unavailable` and `destinations_paused`.
 */
export function watchDestinations(destinations: Pick<DestinationOperations, 'list'>): AlertSource {
  return {
    name: 'destinations',
    async find() {
      const found = await destinations.list()
      const unavailable = found.filter(({ state }) => state === 'unavailable')
      const paused = found.filter(({ state, events }) => state === 'paused' && events > 0)
      return [
        ...(unavailable.length === 0
          ? []
          : [
              {
                ...{ name: 'destinations_unavailable', severity: 'error' as const },
                ...{ level: toLevel(unavailable.length), title: 'Destinations are unavailable' },
                text: describeUnavailable(unavailable),
              },
            ]),
        ...(paused.length === 0
          ? []
          : [
              {
                ...{ name: 'destinations_paused', severity: 'warning' as const },
                ...{ level: toLevel(paused.length), title: 'Paused destinations have events' },
                text: `Events wait for ${count(paused)}: ${formatList(paused.map(describe))}. Repair the cause, then resume them.`,
              },
            ]),
      ]
    },
  }
}

/** A destination that a process cannot open has no probe. */
function describeUnavailable(unavailable: readonly DestinationSummary[]): string {
  const failing = unavailable.filter(({ destination }) => destination)
  const unopened = unavailable.filter(({ destination }) => !destination)
  return [
    failing.length > 0 &&
      `Requests to ${count(failing)} fail, and their events wait: ${formatList(failing.map(describe))}. They continue when a probe succeeds.`,
    unopened.length > 0 &&
      `A process cannot open ${count(unopened)}: ${formatList(unopened.map(describe))}. The log has the reason. Without the encryption key of a destination, no new event is recorded for it: restore the key.`,
  ]
    .filter((text) => text !== false)
    .join(' ')
}

const count = ({ length }: readonly DestinationSummary[]) =>
  formatCount(length, 'destination', 'destinations', Infinity)

function describe({ name, events, pauseReason }: DestinationSummary): string {
  const facts = [
    `${events} pending ${events === 1 ? 'event' : 'events'}`,
    ...(pauseReason === undefined ? [] : [truncate(pauseReason, 80)]),
  ]
  return `${name} (${facts.join(', ')})`
}
