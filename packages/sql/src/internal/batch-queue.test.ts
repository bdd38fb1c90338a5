import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BatchQueue, maxBatchItems, type BatchQueueOptions } from './batch-queue.ts'

/** A queue whose batches are recorded and end on demand. */
function getQueue(options: BatchQueueOptions<number>) {
  const batches: { readonly items: readonly number[]; readonly end: () => void }[] = []
  const queue = new BatchQueue<number, number>(
    (items) =>
      new Promise((resolve) => {
        const end = () => {
          resolve(items.map((value) => ({ status: 'fulfilled', value })))
        }
        batches.push({ items, end })
      }),
    options,
  )
  return {
    sizes: () => batches.map(({ items }) => items.length),
    end: (index: number) => batches[index]?.end(),
    addBad: () => queue.add(1, () => Promise.reject(new Error('cannot be prepared'))),
    add: (count: number) => Promise.all(Array.from({ length: count }, (_, item) => queue.add(1, () => item))),
  }
}

const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a queue of batches', () => {
  // No count exceeds NaN, so an invalid limit would bound nothing.
  it.each(['waiting', 'waitingBytes'])('rejects an invalid %s', (name) => {
    for (const value of [Number.NaN, -1, 1.5, '7' as never])
      expect(() => getQueue({ concurrency: 1, [name]: value })).toThrow(
        new TypeError(`limits.${name} must be an integer of at least 0`),
      )
    getQueue({ concurrency: 1, [name]: Infinity })
  })

  it.each(['waiting', 'waitingBytes'])(
    'gives back the place of what cannot be prepared, of its %s',
    async (name) => {
      const { sizes, end, add, addBad } = getQueue({ concurrency: 1, [name]: 2 })
      const running = add(1)
      await pass()
      for (let turn = 0; turn < 2; turn++) await expect(addBad()).rejects.toThrow('cannot be prepared')
      const next = add(2)
      end(0)
      await pass()
      expect(sizes()).toEqual([1, 2])
      end(1)
      expect(await Promise.all([running, next])).toEqual([[0], [0, 1]])
    },
  )

  it('collects items during a batch instead of starting a small second batch', async () => {
    const { sizes, end, add } = getQueue({ concurrency: 2 })
    const results = [add(3)]
    await pass()
    for (let turn = 0; turn < 4; turn++) {
      results.push(add(1))
      await pass(5)
    }
    expect(sizes()).toEqual([3])
    end(0)
    await pass()
    expect(sizes()).toEqual([3, 4])
    end(1)
    expect(await Promise.all(results)).toEqual([[0, 1, 2], [0], [0], [0], [0]])
  })

  it('starts a full batch concurrently, up to the concurrency limit', async () => {
    const { sizes, end, add } = getQueue({ concurrency: 2 })
    const results = [add(1)]
    await pass()
    results.push(add(maxBatchItems + 1))
    await pass()
    expect(sizes()).toEqual([1, maxBatchItems])
    results.push(add(maxBatchItems))
    await pass(1000)
    expect(sizes()).toEqual([1, maxBatchItems])
    end(0)
    await pass()
    expect(sizes()).toEqual([1, maxBatchItems, maxBatchItems])
    for (const index of [1, 2, 3]) {
      end(index)
      await pass()
    }
    expect((await Promise.all(results)).flat()).toHaveLength(2 * maxBatchItems + 2)
  })

  it('starts a second batch when the first is slow', async () => {
    const { sizes, end, add } = getQueue({ concurrency: 2 })
    const slow = add(1)
    await pass()
    const other = add(2)
    await pass(1000)
    expect(sizes()).toEqual([1, 2])
    end(1)
    expect(await other).toEqual([0, 1])
    end(0)
    expect(await slow).toEqual([0])
  })

  it('waits for more after several came together, not after one or after enough', async () => {
    const gather = { milliseconds: 25, isEnough: ({ length }: readonly number[]) => length >= 4 }
    const { sizes, end, add } = getQueue({ concurrency: 2, gather })
    for (const [index, count] of [1, 1, 2].entries()) {
      void add(count)
      await pass()
      expect(sizes()).toHaveLength(index + 1)
      end(index)
      await pass()
    }
    void add(2)
    await pass(20)
    void add(2)
    await pass(2)
    expect(sizes()).toEqual([1, 1, 2])
    await pass(3)
    expect(sizes()).toEqual([1, 1, 2, 4])
    end(3)
    await pass()
    void add(1)
    await pass()
    expect(sizes()).toEqual([1, 1, 2, 4, 1])
  })
})
