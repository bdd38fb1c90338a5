import { expect, it } from 'vitest'
import { createMemorySubscriptionStore } from '../subscriptions/memory-store.ts'
import type { SubscriptionProgress } from '../subscriptions/store.ts'
import { watchSubscriptions } from './subscriptions.ts'

const now = 1_700_000_000_000
const hour = 3_600_000

/** Finds the alerts of subscriptions with these states. */
async function find(
  ...given: readonly (Partial<SubscriptionProgress> & { endpoint?: string; isRemoving?: boolean })[]
) {
  const store = createMemorySubscriptionStore(() => now)
  for (const [index, { endpoint, isRemoving, ...progress }] of given.entries()) {
    const id = String(index)
    await store.insert({ id, service: 'shop', endpoint, parameters: {}, isDeclared: false })
    if (isRemoving) await store.change({ id }, { isRemoving })
    const [claimed] = await store.claim({ token: 't', leaseMs: 1000, limit: 1 })
    await store.save(claimed!, 't', { failures: 3, revision: 0, error: 'HTTP_401', ...progress }, hour)
  }
  const source = watchSubscriptions(store, undefined)
  return (await source.find(now, new AbortController().signal)).map(({ name, severity, level, text }) => {
    return { name, severity, level, text }
  })
}

const registration = (after: number) => ({ registration: { id: 's', expiresAt: now + after } })

it('says when a subscription expires, and why it could not be renewed', async () => {
  expect(await find({ endpoint: 'e1', ...registration(12 * hour) })).toEqual([
    {
      ...{ name: 'subscription_expires/e1', severity: 'error', level: 1 },
      text: 'The subscription at shop expires in 12 hours and could not be renewed: 401.',
    },
  ])
})

it('warns while the subscription lasts for more than a day', async () => {
  const [found] = await find({ ...registration(50 * hour), error: 'TIMEOUT' })
  expect(found).toMatchObject({
    ...{ name: 'subscription_expires/shop', severity: 'warning', level: 0 },
    text: 'The subscription at shop expires in 2 days and could not be renewed: TIMEOUT.',
  })
})

it.each([
  ['expired', registration(-2 * hour), 'expired 2 hours ago and could not be renewed: 401.'],
  ['is missing', {}, 'could not be created: 401.'],
  ['could not be checked', { registration: { id: 's' } }, 'could not be checked: 401.'],
  [
    'could not be removed',
    { isRemoving: true },
    'could not be removed: 401. Remove it in the settings of shop.',
  ],
])('says that a subscription %s', async (_, progress, text) => {
  const [found] = await find({ endpoint: 'e1', ...progress })
  expect(found?.text).toContain(text)
})

it('names the worst subscription of an endpoint, and none after two failures', async () => {
  const found = await find(
    { endpoint: 'e1', ...registration(50 * hour) },
    { endpoint: 'e1' },
    {
      ...{ endpoint: 'e2', failures: 2 },
    },
  )
  expect(found.map(({ name, level }) => [name, level])).toEqual([['subscription_expires/e1', 2]])
})
