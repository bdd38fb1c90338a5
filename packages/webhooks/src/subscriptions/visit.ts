import { CodedError } from '@sallyport/errors'
import type { Registration, SubscriptionContext, SubscriptionService } from './service.ts'
import type { SubscriptionProgress, SubscriptionRecord } from './store.ts'

/** What a visit changed at the service. */
export type SubscriptionAction = 'create' | 'repair' | 'renew' | 'remove'

export interface Visit {
  readonly service: SubscriptionService
  readonly record: SubscriptionRecord
  readonly context: SubscriptionContext
  /** The ids of the subscriptions of other records at the service. */
  readonly taken: readonly string[]
  /** A hash of what the service is to have. */
  readonly fingerprint: string
  /** Stores the secret that the service created. */
  readonly storeSecret: (secret: string) => Promise<void>
  /** Whether the address stores no further secret. */
  readonly isFull: boolean
  /** Lets the address answer the handshake of a new subscription. @default the service sends none */
  readonly startHandshake?: (() => Promise<unknown>) | undefined
  /** Called when the service does not have a subscription any more that it had. */
  readonly onLost: () => void
  /** Called after each change at the service. */
  readonly onAction: (action: SubscriptionAction) => void
  /** A number from 0 to 1. */
  readonly random: () => number
}

/**
 * Compares a subscription with its service, and creates, adopts, repairs or renews it. The comparison begins with the list of
 * the service, so that one that was created before a crash is adopted.
 */
export async function keepSubscription(visit: Visit): Promise<SubscriptionProgress> {
  const { service, record, context, fingerprint } = visit
  const { registration: known, ...progress } = record.progress
  const found = await listOwn(visit)
  const kept = found.find(({ id }) => id === known?.id) ?? found[0]
  // Two processes created one each, when one of them was suspended.
  for (const other of found) if (other !== kept) await service.remove(context, other)
  if (kept === undefined) {
    visit.onLost()
    return await create(visit)
  }

  const lacksSecret = service.secret === 'created' && (kept.id !== known?.id || context.secrets.length === 0)
  if (lacksSecret) return await replace(visit, kept)
  const isRequested = record.revision !== progress.revision
  if (kept.isDisabled === true || fingerprint !== progress.fingerprint) {
    if (!service.repair) return await replace(visit, kept)
    const repaired = await service.repair(context, kept)
    visit.onAction('repair')
    return toProgress(visit, repaired)
  }
  const isUnchanged = kept.expiresAt === known?.expiresAt
  const renewAt = isUnchanged ? progress.renewAt : planRenewal(visit, kept)
  if (renewAt === undefined || (renewAt > context.now() && !isRequested))
    return { ...toProgress(visit, kept), renewAt }
  if (!service.renew) return await replace(visit, kept)
  const renewed = await service.renew(context, kept)
  visit.onAction('renew')
  return toProgress(visit, renewed)
}

/** Removes all subscriptions of the address. */
export async function removeSubscription(visit: Visit): Promise<void> {
  for (const one of await listOwn(visit)) await visit.service.remove(visit.context, one)
  visit.onAction('remove')
}

async function listOwn({ service, record, context, taken }: Visit): Promise<readonly Registration[]> {
  const found = await service.list(context, record.progress.registration)
  return found.filter(({ id }) => !taken.includes(id))
}

async function create(visit: Visit): Promise<SubscriptionProgress> {
  const { service, context, storeSecret, isFull } = visit
  // A subscription whose secret is lost would be replaced by another one, again and again.
  if (service.secret === 'created' && isFull)
    throw new CodedError(409, 'TOO_MANY_SECRETS', 'The endpoint has too many secrets: remove one')
  await visit.startHandshake?.()
  const { secret, ...registration } = await service.create(context)
  if (secret !== undefined) await storeSecret(secret)
  visit.onAction('create')
  return toProgress(visit, registration)
}

/** The new subscription is created first, so that no event is missed. */
async function replace(visit: Visit, old: Registration): Promise<SubscriptionProgress> {
  const progress = await create(visit)
  if (progress.registration?.id !== old.id) await visit.service.remove(visit.context, old)
  return progress
}

function toProgress(visit: Visit, { id, expiresAt }: Registration): SubscriptionProgress {
  return {
    registration: { id, expiresAt },
    renewAt: planRenewal(visit, { expiresAt }),
    fingerprint: visit.fingerprint,
    failures: 0,
    revision: visit.record.revision,
    checkedAt: visit.context.now(),
  }
}

/** The renewals of subscriptions that were created together are spread over a tenth of their lifetime. */
function planRenewal(
  { context, random }: Pick<Visit, 'context' | 'random'>,
  { expiresAt }: Pick<Registration, 'expiresAt'>,
): number | undefined {
  if (expiresAt === undefined) return undefined
  const at = context.now()
  return Math.round(at + Math.max(0, expiresAt - at) * (2 / 3 - random() / 10))
}
