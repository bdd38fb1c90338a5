import { describe, expect, it } from 'vitest'
import { createPartitions } from './partitions.ts'

const message = (offset: number, partition = 0) => ({ partition, offset: BigInt(offset), leaderEpoch: 1 })

describe('createPartitions', () => {
  it('skips the messages that a new stream repeats', () => {
    const partitions = createPartitions()
    partitions.assign('member', [0])
    const state = partitions.receive(message(0))
    expect(partitions.receive(message(1))).toBe(state)
    partitions.beginStream()
    expect([0, 1, 2].map((offset) => partitions.receive(message(offset)))).toEqual([
      undefined,
      undefined,
      state,
    ])
  })

  it('receives a message again when the stream goes back, and loses the former messages', () => {
    const partitions = createPartitions()
    partitions.assign('member', [0])
    const before = partitions.receive(message(5))
    const after = partitions.receive(message(0))
    expect(after).toMatchObject({ received: 0n, unsettled: new Set([0n]) })
    expect(before !== undefined && partitions.has(0, before)).toBe(false)
    expect(partitions.receive(message(1))).toBe(after)
  })

  it('receives a message again when a new stream begins before the committed offset', () => {
    const partitions = createPartitions()
    partitions.assign('member', [0])
    const before = partitions.receive(message(5))
    if (before !== undefined) before.committed = 6n
    partitions.beginStream()
    expect(partitions.receive(message(3))).toMatchObject({ received: 3n })
  })

  it('keeps the partitions of the same member only', () => {
    const partitions = createPartitions()
    partitions.assign('member', [0, 1])
    const [first, second] = [partitions.receive(message(0, 0)), partitions.receive(message(0, 1))]
    if (first === undefined || second === undefined) throw new Error('no partition')
    partitions.assign('member', [0])
    expect([partitions.has(0, first), partitions.has(1, second)]).toEqual([true, false])
    expect(partitions.receive(message(1, 1))).toBeUndefined()
    partitions.assign('other', [0, 1])
    expect(partitions.has(0, first)).toBe(false)
    expect(partitions.receive(message(0, 0))).toMatchObject({ memberId: 'other' })
  })

  it('commits the offset of the first message that is not settled', () => {
    const partitions = createPartitions()
    partitions.assign('member', [0])
    const state = partitions.receive(message(0))
    if (state === undefined) throw new Error('no partition')
    for (const offset of [1, 3]) partitions.receive(message(offset))
    const settle = (offset: bigint) => {
      state.unsettled.delete(offset)
      state.hasChanged = true
      return partitions.takeChanged()
    }
    const changed = { partition: 0, state }
    expect(settle(1n)).toEqual([{ ...changed, offset: 0n }])
    expect(settle(0n)).toEqual([{ ...changed, offset: 3n }])
    expect(settle(3n)).toEqual([{ ...changed, offset: 4n }])
    expect(partitions.takeChanged()).toEqual([])
  })
})
