import { testTrafficStore } from '@sallyport/testing/traffic'
import { describe, expect, it } from 'vitest'
import { memoryTrafficStore } from './index.ts'

testTrafficStore({ describe, expect, it }, () => memoryTrafficStore())
