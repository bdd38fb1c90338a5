import { expect, it } from 'vitest'
import { createSharedReads } from './shared-reads.ts'

function counted() {
  const begun: PromiseWithResolvers<number>[] = []
  const ask = () => {
    const one = Promise.withResolvers<number>()
    begun.push(one)
    return one.promise
  }
  return { begun, ask }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('shares one read among all callers that wait for a running read', async () => {
  const { begun, ask } = counted()
  const read = createSharedReads<number>()
  const first = read('a', ask)
  const others = [read('a', ask), read('a', ask)]
  await settled()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  expect(await first).toBe(1)
  await settled()
  expect(begun).toHaveLength(2)

  const late = read('a', ask)
  begun[1]?.resolve(2)
  expect(await Promise.all(others)).toEqual([2, 2])
  await settled()
  begun[2]?.resolve(3)
  expect(await late).toBe(3)
})

it('reads keys separately, and again after a read has ended', async () => {
  const { begun, ask } = counted()
  const read = createSharedReads<number>()
  const both = [read('a', ask), read('b', ask)]
  begun.forEach((one, index) => {
    one.resolve(index)
  })
  expect(await Promise.all(both)).toEqual([0, 1])
  void read('a', ask)
  expect(begun).toHaveLength(3)
})

it('rejects for all callers that share a read, and reads again for the next', async () => {
  const { begun, ask } = counted()
  const read = createSharedReads<number>()
  const first = read('a', ask)
  const second = read('a', ask)
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settled()
  begun[1]?.resolve(2)
  expect(await second).toBe(2)
})
