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
