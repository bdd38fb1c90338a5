import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryReconciliationStore } from './store.ts'

testStores(
  { describe, expect, it },
  {
    reconciliations: () => {
      const store = createMemoryReconciliationStore()
      return [store, store]
    },
  },
)
