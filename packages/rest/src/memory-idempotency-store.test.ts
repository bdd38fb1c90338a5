import { testIdempotencyStore } from '@sallyport/testing/rest'
import { describe, expect, it } from 'vitest'
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts'

const clock = { now: 0 }

testIdempotencyStore(
  { describe, expect, it },
  {
    create: () => createMemoryIdempotencyStore({ now: () => clock.now }),
    elapse: (milliseconds) => {
      clock.now += milliseconds
    },
  },
)
