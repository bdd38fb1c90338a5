import { time } from '@sallyport/internal/resource-fields'
import type { SubscriptionRecord } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { endpointNameShape, nameEndpoint, type EndpointNames } from '../endpoints/names.ts'

const state = z.enum(['pending', 'active', 'failing', 'removing']).meta({
  description:
    '`pending`: it is not yet created at the service. `failing`: the last attempts to create, check or renew it failed.',
})
const error = z
  .string()
  .nullable()
  .meta({ description: 'The code of the last error, while there is one.', examples: ['HTTP_401'] })
const expiresAt = time.nullable().meta({ description: 'Null for a subscription that does not expire.' })

/** The subscriptions of an endpoint in one: the worst state, and the earliest end. */
export const subscriptionSummary = z
  .object({ state, expires_at: expiresAt, error })
  .meta({ id: 'SubscriptionSummary' })

export type SubscriptionSummary = z.infer<typeof subscriptionSummary>

export const subscriptionResource = z
  .object({
    id: z.string().meta({ examples: ['github-acme'] }),
    service: z.string().meta({ examples: ['github'] }),
    endpoint: z.string().nullable().meta({ description: 'Null for the address of the provider.' }),
    ...endpointNameShape,
    parameters: z.unknown().meta({
      description: 'What is registered, in the terms of the service.',
      examples: [{ repository: 'acme/shop', events: ['push'] }],
    }),
    declared: z.boolean().meta({ description: 'Whether it is from a file.' }),
    state,
    expires_at: expiresAt,
    renew_at: time.nullable().meta({ description: 'When it is renewed.' }),
    checked_at: time.nullable().meta({ description: 'When the service last confirmed it.' }),
    error,
    failures: z.int().nonnegative().meta({ description: 'The failed attempts in a row.' }),
    created_at: time,
  })
  .meta({ id: 'Subscription' })

export type SubscriptionResource = z.infer<typeof subscriptionResource>

const formatTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

function getState({ isRemoving, progress }: SubscriptionRecord): SubscriptionSummary['state'] {
  if (isRemoving) return 'removing'
  if (progress.failures > 0) return 'failing'
  return progress.registration === undefined ? 'pending' : 'active'
}

export function toSubscription(record: SubscriptionRecord, names: EndpointNames): SubscriptionResource {
  const { id, service, endpoint, parameters, isDeclared, progress, createdAt } = record
  return {
    ...{ id, service, endpoint: endpoint ?? null, ...nameEndpoint(names, endpoint) },
    ...{ parameters, declared: isDeclared, state: getState(record) },
    expires_at: formatTime(progress.registration?.expiresAt),
    renew_at: formatTime(progress.renewAt),
    checked_at: formatTime(progress.checkedAt),
    error: progress.error ?? null,
    failures: progress.failures,
    created_at: new Date(createdAt).toISOString(),
  }
}

const worst = ['removing', 'failing', 'pending', 'active'] as const

/** Summarizes the subscriptions of one endpoint; null without one. */
export function summarize(records: readonly SubscriptionRecord[]): SubscriptionSummary | null {
  const states = records.map(getState)
  const found = worst.find((one) => states.includes(one))
  if (found === undefined) return null
  const ends = records.flatMap(({ progress }) => progress.registration?.expiresAt ?? [])
  return {
    state: found,
    expires_at: formatTime(ends.length === 0 ? undefined : Math.min(...ends)),
    error: records.find(({ progress }) => progress.error !== undefined)?.progress.error ?? null,
  }
}
