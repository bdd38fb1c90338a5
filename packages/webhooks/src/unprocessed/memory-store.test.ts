import { testUnprocessedStore } from '@sallyport/testing/unprocessed'
import { describe, expect, it } from 'vitest'
import { createMemoryUnprocessedStore } from './index.ts'

testUnprocessedStore({ describe, expect, it }, () => createMemoryUnprocessedStore())
