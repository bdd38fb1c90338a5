import { testUnprocessedStore } from '@sallyport/testing/unprocessed'
import { describe, expect, it } from 'vitest'
import { memoryUnprocessedStore } from './index.ts'

testUnprocessedStore({ describe, expect, it }, () => memoryUnprocessedStore())
