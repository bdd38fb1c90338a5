import type { AuditLog, AuditRecord } from '@sallyport/webhooks/audit'
import type { TestRunner } from '@sallyport/webhooks/testing'

const start = Date.UTC(2026, 0)

const actions: readonly AuditRecord[] = [
  { actor: { id: 'ann', name: 'ann@example.com' }, action: 'endpoint.create', target: 'e1' },
  { actor: { id: 'bob' }, action: 'deliveries.replay', detail: { status: 'dead', events: 3 } },
  { actor: { id: 'ann' }, action: 'endpoint.delete', target: 'e1' },
  { actor: { id: 'ann' }, action: 'endpoint.delete', target: 'e2' },
]

/**
 * Defines the conformance tests of {@link AuditLog}.
 *
 * @param runner the functions of the test runner
 * @param createLog creates an empty log with a clock for each test
 */
export function testAuditLog(
  { describe, expect, it }: TestRunner,
  createLog: (options: { readonly now: () => number }) => AuditLog | Promise<AuditLog>,
): void {
  /** Creates a log with the actions, one per second. */
  async function createFilled(): Promise<AuditLog> {
    let time = start
    const log = await createLog({ now: () => time })
    for (const [index, action] of actions.entries()) {
      time = start + index * 1000
      await log.record(action)
    }
    return log
  }

  describe('an audit log', () => {
    it('returns a recorded action with its time and an id', async () => {
      const log = await createFilled()
      const entries = await log.list({ limit: 10, order: 'oldest' })
      expect(new Set(entries.map(({ id }) => id)).size).toBe(4)
      expect(entries).toEqual(
        actions.map((action, index) => ({
          id: entries[index]?.id,
          detail: {},
          ...action,
          createdAt: start + index * 1000,
        })),
      )
    })

    it('keeps texts that databases reject', async () => {
      const log = await createLog({ now: () => start })
      const odd = 'Ä "\\ \u0000 \ud800'
      const action = { actor: { id: odd, name: odd }, action: 'key.create', target: odd, detail: { odd } }
      await log.record(action)
      const [entry] = await log.list({ limit: 10, actor: odd, target: odd })
      expect(entry?.actor).toEqual(action.actor)
      expect(entry?.target).toBe(odd)
      expect(entry?.detail).toEqual({ odd })
    })

    it('lists the newest entry first by default', async () => {
      const log = await createFilled()
      const times = (await log.list({ limit: 2 })).map(({ createdAt }) => createdAt)
      expect(times).toEqual([start + 3000, start + 2000])
    })

    it('continues after a position in both orders, also within a millisecond', async () => {
      const log = await createLog({ now: () => start })
      for (let index = 0; index < 5; index++) {
        await log.record({ actor: { id: 'ann' }, action: 'delivery.replay', target: `d${index}` })
      }
      for (const order of ['newest', 'oldest'] as const) {
        const all = await log.list({ order, limit: 10 })
        const [, second = { createdAt: 0, id: '' }] = all
        expect(await log.list({ order, after: second, limit: 2 })).toEqual(all.slice(2, 4))
        expect(await log.list({ order, offset: 3, limit: 10 })).toEqual(all.slice(3))
      }
    })

    it('filters by actor, action, target and time', async () => {
      const log = await createFilled()
      const filters = [
        [{}, 4],
        [{ actor: 'ann' }, 3],
        [{ actor: 'ann@example.com' }, 1],
        [{ action: 'endpoint.delete' }, 2],
        [{ action: 'endpoint.delete', target: 'e1' }, 1],
        [{ createdAfter: start }, 3],
        [{ createdBefore: start + 1000 }, 1],
        [{ createdAfter: start, createdBefore: start + 3000 }, 2],
      ] as const
      for (const [filter, expected] of filters) {
        expect(await log.count(filter)).toBe(expected)
        expect((await log.list({ ...filter, limit: 10 })).length).toBe(expected)
      }
    })

    it('deletes the entries before a time', async () => {
      const log = await createFilled()
      expect(await log.prune(start + 1000)).toBe(1)
      expect(await log.prune(start + 1000)).toBe(0)
      expect(await log.count({})).toBe(3)
    })
  })
}
