import { testDestinationStore } from '@sallyport/testing/destinations'
import { describe, expect, it } from 'vitest'
import { createMemoryDestinationStore } from './index.ts'

testDestinationStore({ describe, expect, it }, () => {
  const store = createMemoryDestinationStore()
  return [store, store]
})
