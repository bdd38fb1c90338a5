import type { SubscriptionRecord } from '../subscriptions/store.ts'
import type { Subscriptions } from '../subscriptions/options.ts'
import type { AlertSource } from './alerts.ts'
import { findNames, type NamedEndpoints } from './endpoint-names.ts'
import type { Finding } from './evaluate.ts'
import { formatDuration } from './message.ts'

/** Failed visits in a row that exceed an outage of a minute. */
const minFailures = 3
const dayMs = 86_400_000

/**
 * Finds subscriptions that could not be created, renewed, checked or removed several times in a row.
 *
 * The alerts are `subscription_expires/<endpoint>`, or the name of the service for an address without an endpoint.
 */
export function watchSubscriptions(
  subscriptions: Pick<Subscriptions, 'list'>,
  endpoints: NamedEndpoints | undefined,
): AlertSource {
  return {
    name: 'subscriptions',
    async find(now) {
      const failing = await subscriptions.list({ minFailures, limit: 100 })
      const toName = await findNames(
        endpoints,
        failing.map(({ endpoint }) => endpoint),
      )
      const findings = new Map<string, Finding>()
      for (const one of failing) {
        const address = one.endpoint ?? one.service
        const known = findings.get(address)?.level ?? -1
        const level = getLevel(one, now)
        if (level <= known) continue
        const name = one.endpoint === undefined ? one.service : toName(one.endpoint)
        findings.set(address, {
          ...{ name: `subscription_expires/${address}`, severity: level > 0 ? 'error' : 'warning', level },
          ...describe(one, name, now),
        })
      }
      return [...findings.values()]
    },
  }
}

/** 2 if the service sends nothing, and 1 if it soon sends nothing. */
function getLevel({ isRemoving, progress: { registration } }: SubscriptionRecord, now: number): number {
  if (isRemoving) return 0
  if (registration === undefined) return 2
  const { expiresAt = Infinity } = registration
  return expiresAt <= now ? 2 : Number(expiresAt - now < dayMs)
}

function describe(
  { service, isRemoving, progress }: SubscriptionRecord,
  name: string,
  now: number,
): Pick<Finding, 'title' | 'text'> {
  const cause = (progress.error ?? 'an error').replace(/^HTTP_/, '')
  if (isRemoving)
    return {
      title: `The subscription of ${name} could not be removed`,
      text: `The subscription could not be removed: ${cause}. Remove it in the settings of ${service}.`,
    }
  const { registration } = progress
  if (registration === undefined)
    return {
      title: `The subscription of ${name} could not be created`,
      text: `The subscription at ${service} could not be created: ${cause}.`,
    }
  const { expiresAt } = registration
  if (expiresAt === undefined)
    return {
      title: `The subscription of ${name} could not be checked`,
      text: `The subscription at ${service} could not be checked: ${cause}.`,
    }
  const time =
    expiresAt > now
      ? `expires in ${formatDuration(expiresAt - now)}`
      : `expired ${formatDuration(now - expiresAt)} ago`
  return {
    title: `The subscription of ${name} could not be renewed`,
    text: `The subscription at ${service} ${time} and could not be renewed: ${cause}.`,
  }
}
