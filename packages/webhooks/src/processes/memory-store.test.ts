import { testProcessStore } from '@sallyport/testing/processes'
import { describe, expect, it } from 'vitest'
import { createMemoryProcessStore } from './index.ts'

testProcessStore({ describe, expect, it }, () => {
  const store = createMemoryProcessStore()
  return [store, store]
})
