import { testStores } from '@sallyport/testing'
import { createTrafficRecorder } from '@sallyport/test-support/webhooks'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { kyselyTrafficStore } from './traffic-store.ts'

describeDatabases({}, (databases) => {
  async function emptyStores() {
    const [one, other] = databases()
    await sql`delete from traffic_counts`.execute(one)
    return [kyselyTrafficStore(one), kyselyTrafficStore(other)] as const
  }

  testStores({ describe, expect, it }, { traffic: async () => (await emptyStores())[0] })

  it('adds the counts of several processes', async () => {
    const stores = await emptyStores()
    const recorders = stores.map((store) => createTrafficRecorder({ store, now: () => 60_000 }))
    for (let request = 0; request < 100; request++) {
      for (const { observe } of recorders) {
        observe({ provider: 'doorbell', outcome: 'accepted' })
        observe({ provider: 'unknown', outcome: 'refused', code: 'UNKNOWN_PROVIDER' })
      }
      if (request % 20 === 0) await Promise.all(recorders.map(({ flush }) => flush()))
    }
    await Promise.all(recorders.map(({ stop }) => stop()))
    const { reasons } = await stores[0].sum({ from: 60_000, to: 120_000, intervalMs: 60_000 })
    expect(reasons.toSorted((one, other) => (one.provider < other.provider ? -1 : 1))).toEqual([
      { provider: 'doorbell', outcome: 'accepted', reason: '', count: 200 },
      { provider: 'unknown', outcome: 'refused', reason: 'UNKNOWN_PROVIDER', count: 200 },
    ])
  })

  it('writes all counts in one statement', async () => {
    await emptyStores()
    let statements = 0
    const counting = databases()[0].withPlugin({
      transformQuery({ node }) {
        statements++
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const traffic = createTrafficRecorder({ store: kyselyTrafficStore(counting), now: () => 0 })
    for (const provider of ['a', 'b']) {
      for (const kind of ['x', 'y']) traffic.observe({ provider, outcome: 'ignored', kind })
    }
    await traffic.flush()
    expect(statements).toBe(1)
  })

  it('adds several portions in a transaction of the caller', async () => {
    const [store] = await emptyStores()
    const counts = Array.from({ length: 1001 }, (_, minute) => {
      return {
        minute: minute * 60_000,
        provider: 'doorbell',
        outcome: 'accepted',
        reason: '',
        count: 1,
      } as const
    })
    const failing = databases()[0]
      .transaction()
      .execute(async (transaction) => {
        await kyselyTrafficStore(transaction).add(counts)
        throw new Error('rolled back')
      })
    await expect(failing).rejects.toThrow('rolled back')
    const { series } = await store.sum({ from: 0, to: 1001 * 60_000, intervalMs: 60_000 })
    expect(series).toEqual([])
  })
})
