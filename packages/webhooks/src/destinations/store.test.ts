import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryDestinationStore } from './index.ts'

testStores(
  { describe, expect, it },
  {
    destinations: () => {
      const store = createMemoryDestinationStore()
      return [store, store]
    },
  },
)

it('reserves on after its clock was set back', async () => {
  let now = 10_000_000
  const store = createMemoryDestinationStore(() => now)
  const rate = { ratePerSecond: 10, count: 10 }
  await store.reserve('a', rate)
  await store.reserve('a', rate)
  now -= 3_600_000
  expect(await store.reserve('a', rate)).toEqual({ count: 10, afterMs: 0 })
  expect(await store.reserve('a', rate)).toEqual({ count: 10, afterMs: 1000 })
})
