import { testProcessStore } from '@sallyport/testing/processes'
import { describe, expect, it } from 'vitest'
import { memoryProcessStore } from './index.ts'

testProcessStore({ describe, expect, it }, () => {
  const store = memoryProcessStore()
  return [store, store]
})
