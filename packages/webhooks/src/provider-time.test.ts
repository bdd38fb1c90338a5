import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { doorbell, never, openGateway, proofOf, rung, signature } from '../test/doorbell.ts'
import { memoryFailureLimiter, type AnyProvider } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const schema = {
  '~standard': { version: 1, vendor: 'own', validate: never },
} as const satisfies AnyProvider['events'][string]

describe('a provider that never answers', () => {
  // Each of these once held its request, and the body in memory, for ever.
  const hanging: Record<string, AnyProvider> = {
    'a signature': { ...doorbell, signature: { ...signature, verify: never } },
    'a handshake': { ...doorbell, handshake: { methods: ['POST'], answer: never } },
  }

  it.each(Object.keys(hanging))('for %s is 503 after 10 seconds, and nobody’s failure', async (name) => {
    const limiter = memoryFailureLimiter({ failures: 1 })
    const { send, observed } = openGateway({ providers: [hanging[name]!], limiter })
    for (let round = 0; round < 3; round++) {
      const [answer] = await Promise.all([send(), vi.advanceTimersByTimeAsync(10_000)])
      expect(answer).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    }
    expect(observed[0]?.error).toMatchObject({ name: 'TimeoutError' })
  })

  it('for its data is quarantined: a sender need not try again', async () => {
    const { send, observed } = openGateway({ providers: [{ ...doorbell, events: { 'bell.rung': schema } }] })
    const headers = await proofOf(rung())
    const [answer] = await Promise.all([send({ headers }), vi.advanceTimersByTimeAsync(10_000)])
    expect(answer.said).toBe('quarantined')
    expect(observed[0]).toMatchObject({ error: { message: 'TimeoutError' } })
  })
})
