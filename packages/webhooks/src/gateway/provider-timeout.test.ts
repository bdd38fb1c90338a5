import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { doorbell, never, openGateway, signBody, rung, signature } from '../../test/doorbell.ts'
import { createMemoryFailureLimiter, type AnyProvider } from '../index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const schema = {
  '~standard': { version: 1, vendor: 'own', validate: never },
} as const satisfies AnyProvider['events'][string]

describe('provider that does not settle', () => {
  // Regression: the request held its body in memory without a limit.
  const hanging: Record<string, AnyProvider> = {
    'a signature': { ...doorbell, signature: { ...signature, verify: never } },
    'a handshake': { ...doorbell, handshake: { methods: ['POST'], answer: never } },
  }

  it.each(Object.keys(hanging))('answers 503 after 10 seconds for %s and counts no failure', async (name) => {
    const limiter = createMemoryFailureLimiter({ failures: 1 })
    const { send, observed } = openGateway({ providers: [hanging[name]!], limiter })
    for (let round = 0; round < 3; round++) {
      const [answer] = await Promise.all([send(), vi.advanceTimersByTimeAsync(10_000)])
      expect(answer).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    }
    expect(observed[0]?.error).toMatchObject({ name: 'TimeoutError' })
  })

  it('quarantines a delivery when the validation does not settle', async () => {
    const { send, observed } = openGateway({ providers: [{ ...doorbell, events: { 'bell.rung': schema } }] })
    const headers = await signBody(rung())
    const [answer] = await Promise.all([send({ headers }), vi.advanceTimersByTimeAsync(10_000)])
    expect(answer.said).toBe('quarantined')
    expect(observed[0]).toMatchObject({ error: { message: 'TimeoutError' } })
  })

  it('does not limit the number of events that take long to validate', async () => {
    // Regression: events were validated one after the other, and a batch kept its body for hours.
    const validate = async (value: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, 6000))
      return { value }
    }
    const provider: AnyProvider = {
      ...doorbell,
      events: { 'bell.rung': { '~standard': { ...schema['~standard'], validate } } },
      normalize: () => ['1', '2', '3'].map((id) => ({ kind: 'bell.rung', key: [id], subject: id, data: {} })),
    }
    const { deliver } = openGateway({ providers: [provider] })
    const [answer] = await Promise.all([deliver(), vi.advanceTimersByTimeAsync(6000)])
    expect(answer).toMatchObject({ said: 'accepted', events: [{}, {}, {}] })
  })

  // Regression: bodies that pending code held were not counted.
  it.each<[string, (late: () => Promise<never>) => AnyProvider]>([
    ['a signature', (verify) => ({ ...doorbell, signature: { ...signature, verify } })],
    ['a handshake', (answer) => ({ ...doorbell, handshake: { methods: ['POST'], answer } })],
    [
      'its data',
      (validate) => ({
        ...doorbell,
        events: { 'bell.rung': { '~standard': { ...schema['~standard'], validate } } },
      }),
    ],
  ])('counts the body until %s settles', async (_, providerWith) => {
    const { promise, reject } = Promise.withResolvers<never>()
    const { deliver } = openGateway({
      providers: [providerWith(() => promise)],
      limits: { bytesInFlight: rung().length },
    })
    const [overdue] = await Promise.all([deliver(), vi.advanceTimersByTimeAsync(10_000)])
    expect(['PROVIDER_UNAVAILABLE', 'quarantined']).toContain(overdue.said)
    await vi.advanceTimersByTimeAsync(3_600_000)
    for (const address of ['192.0.2.7', null]) expect((await deliver({ address })).said).toBe('OVERLOADED')
    reject(new Error('late'))
    await vi.advanceTimersByTimeAsync(0)
    expect((await deliver()).said).not.toBe('OVERLOADED')
  })
})
