import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryProcessStore } from './memory-store.ts'

testStores(
  { describe, expect, it },
  {
    processes: () => {
      const store = createMemoryProcessStore()
      return [store, store]
    },
  },
)
