import type { SubscriptionRecord, SubscriptionStore } from './store.ts'

/** Returns the subscriptions of an address. */
export async function listBeside(
  store: Pick<SubscriptionStore, 'list'>,
  service: string,
  endpoint: string | undefined,
): Promise<readonly SubscriptionRecord[]> {
  const ofEndpoint = endpoint === undefined ? {} : { endpoints: [endpoint] }
  const found = await store.list({ service, limit: 1000, ...ofEndpoint })
  return found.filter((one) => one.endpoint === endpoint)
}
