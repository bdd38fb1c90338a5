import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryTrafficStore } from './memory-store.ts'

testStores({ describe, expect, it }, { traffic: () => createMemoryTrafficStore() })
