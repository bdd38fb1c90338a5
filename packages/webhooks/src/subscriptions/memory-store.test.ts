import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemorySubscriptionStore } from './memory-store.ts'

testStores(
  { describe, expect, it },
  {
    subscriptions: () => {
      const store = createMemorySubscriptionStore()
      return [store, store]
    },
  },
)
