import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.ts'
import type { SessionStore } from './session-store.ts'
import { createSessions, type SessionsOptions } from './sessions.ts'

const secret = 'a-secret-of-more-than-thirty-two-bytes'
const other = 'another-secret-of-over-thirty-two-bytes'
const invalid = {
  code: 'INVALID_TOKEN',
  status: 401,
  message: 'The refresh token is not valid; log in again',
}

function setUp(options: Partial<SessionsOptions> = {}) {
  const clock = { ms: 1_700_000_000_000 }
  const ended: string[] = []
  const store = options.store ?? createMemorySessionStore()
  const sessions = createSessions({
    store,
    secrets: [secret],
    now: () => clock.ms,
    onEnded: (ids, reason) => ended.push(...ids.map((id) => `${id} ${reason}`)),
    ...options,
  })
  return { sessions, store, clock, ended }
}

/** A store with random delays, like a database. */
function slowed(store: SessionStore, delays: readonly number[]): SessionStore {
  let call = 0
  const wait = async () => {
    for (let turn = delays[call++ % delays.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve()
  }
  return {
    ...store,
    get: async (id) => (await wait(), store.get(id)),
    rotate: async (id, rotation) => (await wait(), store.rotate(id, rotation)),
  }
}

describe('a session', () => {
  it('starts with a token and continues with its successor', async () => {
    const { sessions, clock } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    expect(session).toMatchObject({ userId: 'u1', createdAt: clock.ms, lastUsedAt: clock.ms })
    clock.ms += 60_000
    const next = await sessions.rotate(refreshToken, { sessionId: session.id })
    expect(next.refreshToken).not.toBe(refreshToken)
    expect(next.session).toMatchObject({ id: session.id, lastUsedAt: clock.ms })
    expect(await sessions.get(session.id)).toEqual(next.session)
    const again = await sessions.rotate(next.refreshToken, { sessionId: undefined })
    expect(again.session.id).toBe(session.id)
  })

  // Regression: repeated logins made a list that exhausted the memory of the process.
  it('ends the least recently used session over the limit per user', async () => {
    const { sessions, clock, ended } = setUp({ maxPerUser: 3 })
    const begin = () => {
      clock.ms += 1000
      return sessions.create({ userId: 'u1' })
    }
    const [first, second, third] = [await begin(), await begin(), await begin()]
    const stranger = await sessions.create({ userId: 'u2' })
    clock.ms += 1000
    await sessions.rotate(first.refreshToken)
    const fourth = await begin()
    const ids = [fourth, third, first].map(({ session }) => session.id)
    expect((await sessions.list('u1')).map(({ id }) => id)).toEqual(ids)
    expect(ended).toEqual([`${second.session.id} revoked`])
    await expect(sessions.rotate(second.refreshToken)).rejects.toMatchObject(invalid)
    expect(await sessions.isActive(stranger.session.id)).toBe(true)
  })

  it('does not store tokens', async () => {
    const { sessions, store } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    const { refreshToken: next } = await sessions.rotate(refreshToken)
    const stored = JSON.stringify(await store.get(session.id))
    for (const token of [refreshToken, next]) {
      for (const part of token.split('.').slice(1)) expect(stored).not.toContain(part)
    }
  })

  it('does not expose its secrets', async () => {
    const { sessions } = setUp()
    const { session } = await sessions.create({ userId: 'u1' })
    expect(Object.keys(session).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'lastUsedAt', 'userId'])
    expect(await sessions.list('u1')).toEqual([session])
  })

  it('ends after its lifetime, even when it is used', async () => {
    const { sessions, clock } = setUp({ lifetimeSeconds: 100, idleSeconds: 60 })
    let { session, refreshToken } = await sessions.create({ userId: 'u1' })
    clock.ms += 50_000
    ;({ session, refreshToken } = await sessions.rotate(refreshToken))
    expect(session.expiresAt).toBe(clock.ms + 50_000)
    clock.ms += 50_000
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
    expect(await sessions.isActive(session.id)).toBe(false)
    expect(await sessions.list('u1')).toEqual([])
  })

  it('ends after the idle time', async () => {
    const { sessions, clock } = setUp({ idleSeconds: 60 })
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    clock.ms += 59_999
    expect(await sessions.isActive(session.id)).toBe(true)
    clock.ms += 1
    expect(await sessions.get(session.id)).toBeUndefined()
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
  })

  it('can be revoked alone or with the other sessions of its user', async () => {
    const { sessions, ended } = setUp()
    const [a, b, c] = [
      await sessions.create({ userId: 'u1' }),
      await sessions.create({ userId: 'u1' }),
      await sessions.create({ userId: 'u1' }),
    ]
    expect(await sessions.revoke(a.session.id)).toBe(true)
    expect(await sessions.revoke(a.session.id)).toBe(false)
    await expect(sessions.rotate(a.refreshToken)).rejects.toMatchObject(invalid)
    expect(await sessions.revokeUser('u1', { except: c.session.id })).toEqual([b.session.id])
    await expect(sessions.rotate(b.refreshToken)).rejects.toMatchObject(invalid)
    await expect(sessions.rotate(c.refreshToken)).resolves.toBeDefined()
    expect(new Set(ended)).toEqual(new Set([`${a.session.id} revoked`, `${b.session.id} revoked`]))
  })

  it('notifies this process of a revocation after another process has revoked the session', async () => {
    const { sessions, store, clock, ended } = setUp()
    const { session } = await sessions.create({ userId: 'u1' })
    await store.revoke(session.id, clock.ms)
    expect(ended).toEqual([])
    expect(await sessions.revoke(session.id)).toBe(false)
    expect(ended).toEqual([`${session.id} revoked`])
  })
})

describe('a used token', () => {
  it('returns the same successor within the grace period', async () => {
    const { sessions, clock, ended } = setUp()
    const { refreshToken } = await sessions.create({ userId: 'u1' })
    const next = await sessions.rotate(refreshToken)
    clock.ms += 9999
    expect(await sessions.rotate(refreshToken)).toEqual(next)
    expect(ended).toEqual([])
  })

  it('ends the session after the grace period, also for its successor', async () => {
    const { sessions, clock, ended } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    const next = await sessions.rotate(refreshToken)
    clock.ms += 10_000
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
    await expect(sessions.rotate(next.refreshToken)).rejects.toMatchObject(invalid)
    expect(ended).toEqual([`${session.id} reuse`])
  })

  // Regression: with a clock that was set back by an hour, the grace period lasted an hour.
  it('ends the session after a clock was set back, but not for clocks that differ by a second', async () => {
    const { sessions, clock, ended } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    const next = await sessions.rotate(refreshToken)
    clock.ms -= 1000
    expect((await sessions.rotate(refreshToken)).refreshToken).toBe(next.refreshToken)
    expect(ended).toEqual([])
    clock.ms -= 1800_000
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
    expect(ended).toEqual([`${session.id} reuse`])
  })

  it('ends the session after its successor was used, also within the grace period', async () => {
    const { sessions, ended } = setUp()
    const { refreshToken } = await sessions.create({ userId: 'u1' })
    const next = await sessions.rotate(refreshToken)
    await sessions.rotate(next.refreshToken)
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
    expect(ended).toHaveLength(1)
  })

  it('ends the session immediately without a grace period', async () => {
    const { sessions, ended } = setUp({ graceSeconds: 0 })
    const { refreshToken } = await sessions.create({ userId: 'u1' })
    await sessions.rotate(refreshToken)
    await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
    expect(ended).toHaveLength(1)
  })
})

describe('a forged token', () => {
  it('is rejected and does not end the session that it names', async () => {
    const { sessions, ended } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    const invented = fc.oneof(
      fc.string(),
      fc
        .string({ unit: fc.constantFrom('a', 'Z', '0', '-', '_'), minLength: 66, maxLength: 66 })
        .map((text) => `${session.id}.${text.slice(0, 43)}.${text.slice(44)}`),
      fc
        .tuple(fc.nat(refreshToken.length - 1), fc.constantFrom('a', 'Z', '0', '-', '_', '.', '=', ' ', 'é'))
        .map(([at, char]) => refreshToken.slice(0, at) + char + refreshToken.slice(at + 1)),
      fc.string({ minLength: 1 }).map((tail) => refreshToken + tail),
    )
    await fc.assert(
      fc.asyncProperty(invented, async (token) => {
        fc.pre(token !== refreshToken)
        await expect(sessions.rotate(token)).rejects.toMatchObject(invalid)
      }),
      { numRuns: 300 },
    )
    expect(ended).toEqual([])
    await expect(sessions.rotate(refreshToken)).resolves.toBeDefined()
  })

  it('of other secrets or another session is rejected without side effects', async () => {
    const { sessions, store, ended } = setUp()
    const { session, refreshToken } = await sessions.create({ userId: 'u1' })
    const strangers = createSessions({ store, secrets: [other] })
    await expect(strangers.rotate(refreshToken)).rejects.toMatchObject(invalid)
    await expect(sessions.rotate(refreshToken, { sessionId: 'another' })).rejects.toMatchObject(invalid)
    await expect(sessions.rotate(undefined as unknown as string)).rejects.toMatchObject(invalid)
    expect(ended).toEqual([])
    expect(await sessions.isActive(session.id)).toBe(true)
  })
})

describe('concurrent rotations of one token', () => {
  it('return one successor for any order of store operations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 12 }),
        fc.array(fc.nat(8), { minLength: 1, maxLength: 24 }),
        async (calls, delays) => {
          const store = slowed(createMemorySessionStore(), delays)
          const { sessions, ended } = setUp({ store })
          const { refreshToken } = await sessions.create({ userId: 'u1' })
          const grants = await Promise.all(Array.from({ length: calls }, () => sessions.rotate(refreshToken)))
          expect(new Set(grants.map((grant) => grant.refreshToken)).size).toBe(1)
          expect(ended).toEqual([])
          await expect(sessions.rotate(grants[0]!.refreshToken)).resolves.toBeDefined()
        },
      ),
    )
  })

  it('return one successor across processes during a rotation of secrets', async () => {
    const { sessions, store, ended, clock } = setUp()
    const now = () => clock.ms
    const { refreshToken } = await sessions.create({ userId: 'u1' })
    const processes = [
      [secret, other],
      [other, secret],
    ].map((secrets) => createSessions({ store, secrets, now }))
    const grants = await Promise.all(
      Array.from({ length: 10 }, (_, index) => processes[index % 2]!.rotate(refreshToken)),
    )
    expect(new Set(grants.map((grant) => grant.refreshToken)).size).toBe(1)
    expect(ended).toEqual([])
  })

  it('do not reactivate a session that is revoked concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }), async (delays) => {
        const store = slowed(createMemorySessionStore(), delays)
        const { sessions } = setUp({ store })
        const { session, refreshToken } = await sessions.create({ userId: 'u1' })
        const results = await Promise.allSettled([
          sessions.rotate(refreshToken),
          sessions.revoke(session.id),
          sessions.rotate(refreshToken),
        ])
        for (const result of results) {
          if (result.status === 'fulfilled' && typeof result.value === 'object') {
            await expect(sessions.rotate(result.value.refreshToken)).rejects.toMatchObject(invalid)
          }
        }
        await expect(sessions.rotate(refreshToken)).rejects.toMatchObject(invalid)
      }),
    )
  })
})

it('does not end a session when the store returns stale data', async () => {
  const store = createMemorySessionStore()
  const { sessions, ended } = setUp({ store: { ...store, rotate: async () => false } })
  const { refreshToken } = await sessions.create({ userId: 'u1' })
  await expect(sessions.rotate(refreshToken)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(ended).toEqual([])
})

describe('secrets', () => {
  it('can be rotated: the old secret still verifies its tokens', async () => {
    const { sessions, store, clock } = setUp()
    const { refreshToken } = await sessions.create({ userId: 'u1' })
    const changed = createSessions({ store, secrets: [other, secret], now: () => clock.ms })
    const next = await changed.rotate(refreshToken)
    const done = createSessions({ store, secrets: [other], now: () => clock.ms })
    await expect(done.rotate(next.refreshToken)).resolves.toBeDefined()
  })

  it.each([
    { secrets: [] },
    { secrets: ['short'] },
    { lifetimeSeconds: 0 },
    { idleSeconds: 1.5 },
    { graceSeconds: 61 },
  ])('and other options are validated at once: %j', (options) => {
    expect(() => setUp(options)).toThrow(TypeError)
  })

  it('and ids that do not fit into a token are rejected', async () => {
    await expect(setUp({ id: () => 'a.b' }).sessions.create({ userId: 'u1' })).rejects.toThrow(TypeError)
  })
})
