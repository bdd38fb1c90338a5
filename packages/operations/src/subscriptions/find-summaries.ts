import type { SubscriptionRecord } from '@sallyport/webhooks/subscriptions'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import { summarize, type SubscriptionSummary } from './schemas.ts'

/** Returns the function that reads the subscriptions of endpoints, and summarizes those of one endpoint. */
export type FindSummaries = (ids: readonly string[]) => Promise<(id: string) => SubscriptionSummary | null>

/** More subscriptions of the endpoints on a page are left out. */
const limit = 1000

export const createFindSummaries =
  (subscriptions: WebhookOperations['subscriptions']): FindSummaries =>
  async (endpoints) => {
    if (subscriptions === undefined || endpoints.length === 0) return () => null
    const found = await subscriptions.list({ endpoints, limit })
    const byEndpoint = Map.groupBy(found, ({ endpoint }: SubscriptionRecord) => endpoint)
    return (id) => summarize(byEndpoint.get(id) ?? [])
  }
