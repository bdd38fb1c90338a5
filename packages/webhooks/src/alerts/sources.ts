import type { ConsumerState, ConsumerStore } from '../consume/store.ts'
import type { OperatorInbox } from '../ports/ports.ts'
import type { TrafficStore } from '../traffic/store.ts'
import type { AlertSource } from './alerts.ts'
import { countUpTo, formatCount, formatList, toLevel } from './counts.ts'
import { findNames, type NamedEndpoints } from './endpoint-names.ts'
import type { Finding } from './evaluate.ts'
import { formatDuration } from './message.ts'

/**
 * Finds dead letters, deliveries in quarantine, and events that wait for longer than `oldestPendingMs` milliseconds. With
 * `failures`, the text about dead letters has the names of endpoints.
 *
 * The alerts are `dead_letters`, `dead_notifications`, `quarantine` and `events_wait`.
 */
export function watchInbox(
  inbox: Pick<OperatorInbox, 'stats'> & Partial<Pick<OperatorInbox, 'failures'>>,
  {
    oldestPendingMs = 300_000,
    endpoints,
  }: { readonly oldestPendingMs?: number; readonly endpoints?: NamedEndpoints | undefined } = {},
): AlertSource {
  /** Names the endpoints of the newest dead letters. */
  async function describeDead(): Promise<string> {
    const { groups } = (await inbox.failures?.({ status: 'dead', limit: 1000 })) ?? { groups: [] }
    const ids = [...new Set(groups.flatMap(({ newestEndpoint }) => newestEndpoint ?? []))]
    if (ids.length === 0) return ''
    const toName = await findNames(endpoints, ids)
    return ` Endpoints: ${formatList(ids.map(toName))}.`
  }
  return {
    name: 'inbox',
    async find(now) {
      const { events, notifications, quarantined, oldestPendingAt } = await inbox.stats({ countUpTo })
      const findings: Finding[] = []
      if (events.dead > 0)
        findings.push({
          ...{ name: 'dead_letters', severity: 'error', level: toLevel(events.dead) },
          title: 'Events are dead letters',
          text: `${formatCount(events.dead, 'event has', 'events have')} no attempts left. Repair the cause, then replay the deliveries.${await describeDead()}`,
        })
      if (notifications.dead > 0)
        findings.push({
          ...{ name: 'dead_notifications', severity: 'warning', level: toLevel(notifications.dead) },
          title: 'Notifications are dead letters',
          text: `${formatCount(notifications.dead, 'notification has', 'notifications have')} no attempts left. Check the receiver of notifications.`,
        })
      if (quarantined > 0)
        findings.push({
          ...{ name: 'quarantine', severity: 'warning', level: toLevel(quarantined) },
          title: 'Deliveries are in quarantine',
          text: `${formatCount(quarantined, 'verified delivery', 'verified deliveries')} could not be normalized. Update the provider, then normalize again.`,
        })
      const waitMs = oldestPendingAt === undefined ? 0 : now - oldestPendingAt
      if (waitMs > oldestPendingMs)
        findings.push({
          ...{ name: 'events_wait', severity: 'error' },
          title: 'Events wait to be published',
          text: `The oldest pending event has waited for ${formatDuration(waitMs)}. Check the bus and the dispatchers.`,
        })
      return findings
    },
  }
}

/**
 * Finds consumers of the bus in a database that have dead letters, or events that wait for longer than `oldestPendingMs`
 * milliseconds.
 *
 * The alerts are `consumer_dead_letters/<consumer>` and `consumer_waits/<consumer>`.
 */
export function watchConsumers(
  consumers: Pick<ConsumerStore, 'list'>,
  { oldestPendingMs = 300_000 }: { readonly oldestPendingMs?: number } = {},
): AlertSource {
  return {
    name: 'consumers',
    find: async (now) => (await consumers.list()).flatMap((one) => findOf(one, now, oldestPendingMs)),
  }
}

function findOf(
  { name, deadLetters, oldestPendingAt, failing, lastError }: ConsumerState,
  now: number,
  oldestPendingMs: number,
): readonly Finding[] {
  const findings: Finding[] = []
  if (deadLetters > 0)
    findings.push({
      ...{ name: `consumer_dead_letters/${name}`, severity: 'error', level: toLevel(deadLetters) },
      title: `The consumer ${name} has dead letters`,
      text: `${formatCount(deadLetters, 'event has', 'events have')} no attempts left. Repair the cause, then retry the dead letters.`,
    })
  const waitMs = oldestPendingAt === undefined ? 0 : now - oldestPendingAt
  const cause =
    failing > 0
      ? `${formatCount(failing, 'event fails', 'events fail')}, the oldest with ${lastError ?? 'an error'}.`
      : 'Check the processes of the consumer.'
  if (waitMs > oldestPendingMs)
    findings.push({
      ...{ name: `consumer_waits/${name}`, severity: 'error' },
      title: `Events of the consumer ${name} wait`,
      text: `The oldest event has waited for ${formatDuration(waitMs)}. ${cause}`,
    })
  return findings
}

const minuteMs = 60_000

/**
 * Finds providers with at least `limit` invalid signatures in ten minutes: a wrong secret, or forged deliveries.
 *
 * The alerts are `verification_failures/<provider>`.
 */
export function watchVerification(
  traffic: Pick<TrafficStore, 'sum'>,
  { limit = 20 }: { readonly limit?: number } = {},
): AlertSource {
  return {
    name: 'verification',
    async find(now) {
      const to = (Math.floor(now / minuteMs) + 1) * minuteMs
      const from = to - 10 * minuteMs
      const { reasons } = await traffic.sum({ from, to, intervalMs: to - from })
      return reasons
        .filter(({ outcome, reason, count }) => {
          return outcome === 'refused' && reason === 'INVALID_SIGNATURE' && count >= limit
        })
        .map(({ provider, count }) => ({
          ...{ name: `verification_failures/${provider}`, severity: 'warning', level: toLevel(count) },
          title: `Signatures of ${provider} are invalid`,
          text: `${count.toLocaleString('en-US')} deliveries were refused in ten minutes. Compare the secret with the one of the service; otherwise deliveries are forged.`,
        }))
    },
  }
}
