import type { AlertState, AlertStore } from '@sallyport/webhooks/alerts'
import type { TestRunner } from '@sallyport/webhooks/testing'

const state: AlertState = {
  id: '0d5b5c1e-6a55-4e0e-a4f1-b4a61cf4dc45',
  source: 'inbox',
  name: 'dead_letters',
  status: 'firing',
  severity: 'error',
  title: 'Events are dead letters',
  text: '3 events have no attempts left.',
  level: 0,
  since: Date.UTC(2026, 0),
  changedAt: Date.UTC(2026, 0),
  unsent: ['slack'],
}

/** A long time, in milliseconds. */
const hour = 3_600_000

/**
 * Defines the conformance tests of {@link AlertStore}.
 *
 * @param runner the functions of the test runner
 * @param createStores creates two stores that share empty data, as two processes have them
 */
export function testAlertStore(
  { describe, expect, it }: TestRunner,
  createStores: () => readonly [AlertStore, AlertStore] | Promise<readonly [AlertStore, AlertStore]>,
): void {
  describe('a store of alerts', () => {
    it('returns the saved states to the next holder', async () => {
      const [one, other] = await createStores()
      expect(await one.claim('one', hour)).toEqual([])
      expect(await one.save('one', [state])).toBe(true)
      expect(await one.claim('one', hour)).toEqual([state])
      await one.release('one')
      expect(await other.claim('other', hour)).toEqual([state])
    })

    it('refuses a second holder until the lease ends', async () => {
      const [one, other] = await createStores()
      await one.claim('one', hour)
      expect(await other.claim('other', hour)).toBe(undefined)
      await other.release('other')
      expect(await other.claim('other', hour)).toBe(undefined)
      await one.claim('one', 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(await other.claim('other', hour)).toEqual([])
    })

    it('refuses states of a process that has lost the lease', async () => {
      const [one, other] = await createStores()
      await one.claim('one', 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await other.claim('other', hour)
      expect(await one.save('one', [state])).toBe(false)
      expect(await other.claim('other', hour)).toEqual([])
    })

    it('gives the lease to one of many processes', async () => {
      const [one, other] = await createStores()
      const claims = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).claim(`process ${index}`, hour),
      )
      const holders = (await Promise.all(claims)).filter((states) => states !== undefined)
      expect(holders.length).toBe(1)
    })
  })
}
