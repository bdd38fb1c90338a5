import { createCursorCodec } from '@sallyport/rest'
import type { Replayer, ReplaySelection } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { replayMatching } from './bulk-replay.ts'

const cursors = createCursorCodec({ keys: ['a secret that is long enough to sign cursors'] })
const body = { as_new: false, reprocess: false, cursor: '' }

/** A replayer of a number of deliveries with alternating outcomes. */
function getReplayer(total: number) {
  const asked: ReplaySelection[] = []
  const outcomes = ['replayed', 'unchanged', 'quarantined', 'erased'] as const
  const replayer: Pick<Replayer, 'replay'> = {
    replay(selection) {
      asked.push(selection)
      if ('ids' in selection) throw new Error('A filter was expected')
      const { after = { receivedAt: 0, sequence: 0 }, limit } = selection
      const end = Math.min(total, after.sequence + limit)
      const deliveries: Awaited<ReturnType<Replayer['normalizeAgain']>>[number][] = []
      for (let sequence = after.sequence; sequence < end; sequence++) {
        const outcome = outcomes[sequence % 4]!
        deliveries.push({ id: `${sequence}`, outcome, events: outcome === 'replayed' ? ['a', 'b'] : [] })
      }
      const next = end < total && { next: { receivedAt: 7, sequence: end } }
      return Promise.resolve({ deliveries, ...next })
    },
  }
  return { asked, replayer }
}

it('replays all matching deliveries in batches and counts the outcomes', async () => {
  const { asked, replayer } = getReplayer(10)
  const budget = { ms: 1000, deliveries: 100, portion: 4 }
  const given = {
    ...body,
    status: 'dead',
    provider: 'codehost',
    received_after: '2026-01-01T01:00:00+01:00',
    received_before: '2026-01-02T00:00:00Z',
  } as const
  expect(await replayMatching(given, { replayer, cursors, budget, now: () => 0 })).toEqual({
    deliveries: 10,
    replayed: 3,
    unchanged: 3,
    quarantined: 2,
    erased: 2,
    events: 6,
    republished: 0,
    handled: 0,
    note: null,
    next: null,
  })
  const instants = { receivedAfter: Date.UTC(2026, 0), receivedBefore: Date.UTC(2026, 0, 2) }
  const filter = { status: 'dead', provider: 'codehost', ...instants }
  expect(asked).toEqual([
    { filter, limit: 4 },
    { filter, limit: 4, after: { receivedAt: 7, sequence: 4 } },
    { filter, limit: 4, after: { receivedAt: 7, sequence: 8 } },
  ])
})

it('returns a cursor when its budget of deliveries or time is used up', async () => {
  const { asked, replayer } = getReplayer(10)
  const counts: number[] = []
  let clock = 0
  const limited = async (cursor: string, budget: { ms: number; deliveries: number }) => {
    const now = () => (clock += 10)
    const result = await replayMatching(
      { ...body, all: true, cursor },
      { replayer, cursors, budget: { ...budget, portion: 2 }, now },
    )
    counts.push(result.deliveries)
    return result.next
  }
  const first = await limited('', { ms: 1000, deliveries: 3 })
  const second = await limited(first ?? '', { ms: 25, deliveries: 100 })
  expect(await limited(second ?? '', { ms: 10_000, deliveries: 100 })).toBe(null)
  expect(counts).toEqual([3, 6, 1])
  // No batch is empty.
  expect(asked).toMatchObject([2, 1, 2, 2, 2, 2].map((limit) => ({ limit })))
})

it('returns the counts when a later batch fails, so that no delivery is replayed twice', async () => {
  const { replayer } = getReplayer(10)
  const unavailable = new Error('The database is unavailable')
  let calls = 0
  const failsTwice: Pick<Replayer, 'replay'> = {
    replay(...given) {
      calls++
      return calls === 2 || calls === 3 ? Promise.reject(unavailable) : replayer.replay(...given)
    },
  }
  const budget = { ms: 1000, deliveries: 100, portion: 4 }
  const replay = (cursor: string) => {
    const given = { as_new: true, reprocess: false, all: true, cursor } as const
    return replayMatching(given, { replayer: failsTwice, cursors, budget, now: () => 0 })
  }
  const { deliveries, next } = await replay('')
  expect(deliveries).toBe(4)
  await expect(replay(next ?? '')).rejects.toBe(unavailable)
  expect(await replay(next ?? '')).toMatchObject({ deliveries: 6, next: null })
})

it.each([
  [false, 1, '"reprocess": true'],
  [false, 0, '"as_new": true'],
  [true, 1, null],
])(
  'explains its effect on consumers, with reprocess %s and %s handled events',
  async (reprocess, handled, text) => {
    const asked: unknown[] = []
    const replayer: Pick<Replayer, 'replay'> = {
      replay(_, options) {
        asked.push(options)
        const delivery = {
          id: 'd',
          outcome: 'replayed',
          events: ['a', 'b'],
          republished: 2,
          handled,
        } as const
        return Promise.resolve({ deliveries: [delivery] })
      },
    }
    const result = await replayMatching({ ...body, reprocess, all: true }, { replayer, cursors })
    expect(asked).toEqual([{ asNew: false, reprocess }])
    expect(result).toMatchObject({
      events: 2,
      handled,
      note: text && (expect.stringContaining(text) as string),
    })
  },
)

it('rejects the cursor of another filter', async () => {
  const { replayer } = getReplayer(10)
  const budget = { ms: 1000, deliveries: 2, portion: 2 }
  const { next } = await replayMatching({ ...body, status: 'dead' }, { replayer, cursors, budget })
  const again = (given: object) =>
    replayMatching({ ...body, status: 'dead', cursor: next ?? '', ...given }, { replayer, cursors, budget })
  expect((await again({})).deliveries).toBe(2)
  for (const other of [
    { status: 'published' },
    { provider: 'codehost' },
    { as_new: true },
    { reprocess: true },
    { cursor: 'x' },
  ]) {
    await expect(again(other)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'cursor' }],
    })
  }
})
