import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryUnprocessedStore } from './memory-store.ts'

testStores({ describe, expect, it }, { unprocessed: () => createMemoryUnprocessedStore() })
