import { testTrafficStore } from '@sallyport/testing/traffic'
import { describe, expect, it } from 'vitest'
import { createMemoryTrafficStore } from './index.ts'

testTrafficStore({ describe, expect, it }, () => createMemoryTrafficStore())
