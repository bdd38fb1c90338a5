import { describe, expect, it, vi } from 'vitest'
import { createMemoryIdempotencyStore } from './idempotency-memory.ts'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { createIdempotency, type IdempotencyOptions, type IdempotentRequest } from './idempotency.ts'

const created: StoredResponse = {
  status: 201,
  headers: { Location: '/posts/1' },
  body: '{"data":{"id":"1"}}',
}
const request: IdempotentRequest = {
  idempotencyKey: 'key-1',
  scope: 'user-1',
  method: 'POST',
  path: '/posts',
  body: '{"title":"a"}',
}

function setUp(options: Partial<IdempotencyOptions> = {}) {
  const clock = { now: 0 }
  const store = createMemoryIdempotencyStore({ now: () => clock.now })
  const idempotent = createIdempotency({ store, keys: ['k'.repeat(32)], ...options })
  return { clock, store, idempotent }
}

describe('an idempotency key', () => {
  it('runs once, and replays the same response for 24 hours', async () => {
    const { clock, idempotent } = setUp()
    const run = vi.fn(async () => created)
    expect(await idempotent(request, run)).toEqual({ response: created, replayed: false })
    clock.now = 24 * 3_600_000 - 1
    expect(await idempotent(request, run)).toEqual({ response: created, replayed: true })
    expect(run).toHaveBeenCalledTimes(1)
    clock.now += 1
    expect(await idempotent(request, run)).toEqual({ response: created, replayed: false })
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('is refused with another body, also while the first runs', async () => {
    const { idempotent } = setUp()
    const other = { ...request, body: '{"title":"b"}' }
    await idempotent(request, async () => {
      await expect(idempotent(other, async () => created)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        status: 422,
      })
      return created
    })
    await expect(idempotent(other, async () => created)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  it('is in use while the first runs', async () => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    await idempotent(request, async () => {
      await expect(idempotent(request, run)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_IN_USE',
        status: 409,
        headers: { 'Retry-After': '5' },
      })
      return created
    })
    expect(run).not.toHaveBeenCalled()
  })

  it('runs once of many at the same time', async () => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => idempotent(request, run)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(run).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['scope', { scope: 'user-2' }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/comments' }],
    ['key', { idempotencyKey: 'key-2' }],
    ['borders between scope and method', { scope: 'user-1P', method: 'OST' }],
  ])('is another one with another %s', async (_, over) => {
    const { idempotent } = setUp()
    await idempotent(request, async () => created)
    expect(await idempotent({ ...request, ...over }, async () => created)).toMatchObject({ replayed: false })
  })

  it.each([429, 500, 503])('does not keep a %i', async (status) => {
    const { idempotent } = setUp()
    const failed = { status, headers: {}, body: null }
    expect(await idempotent(request, async () => failed)).toEqual({ response: failed, replayed: false })
    expect(await idempotent(request, async () => created)).toEqual({ response: created, replayed: false })
  })

  it.each([200, 302, 400, 409, 422])('keeps a %i', async (status) => {
    const { idempotent } = setUp()
    const response = { status, headers: {}, body: '{}' }
    await idempotent(request, async () => response)
    expect(await idempotent(request, async () => created)).toEqual({ response, replayed: true })
  })

  it('is free again when the first throws, and the error goes through', async () => {
    const { idempotent } = setUp()
    const error = new Error('boom')
    await expect(idempotent(request, () => Promise.reject(error))).rejects.toBe(error)
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })

  it('is free again when its holder is gone, who then cannot overwrite the successor', async () => {
    const { clock, idempotent } = setUp({ lockFor: 1000 })
    const late = { ...created, body: 'late' }
    await idempotent(request, async () => {
      clock.now = 1000
      expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
      return late
    })
    expect(await idempotent(request, async () => late)).toEqual({ response: created, replayed: true })
  })

  it('is free again when the answer to its claim is lost: it was in use for a minute, and nothing ran', async () => {
    const { store } = setUp()
    const lost = new Error('the connection broke')
    let claims = 0
    const idempotent = createIdempotency({
      keys: ['k'.repeat(32)],
      store: {
        ...store,
        async claim(claim) {
          const answer = await store.claim(claim)
          claims += 1
          if (claims === 1) throw lost
          return answer
        },
      },
    })
    await expect(idempotent(request, async () => created)).rejects.toBe(lost)
    expect(await idempotent(request, async () => created)).toEqual({ response: created, replayed: false })
  })

  it.each(['', ' ', 'a b', 'é', 'a\n', 'x'.repeat(256)])('cannot be %j', async (idempotencyKey) => {
    const { idempotent } = setUp()
    await expect(idempotent({ ...request, idempotencyKey }, async () => created)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'Idempotency-Key' }],
    })
  })

  // The pattern was once tested against "undefined", and the second request given the response of the first.
  it.each([undefined, null, 7, ['key-1']])('cannot be %j, which is no text', async (none) => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    const without = { ...request, idempotencyKey: none as never }
    await expect(idempotent(without, run)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    expect(run).not.toHaveBeenCalled()
  })

  // Those of all callers without one were once the same.
  it.each(['scope', 'method', 'path'])('needs a %s', async (name) => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    await expect(idempotent({ ...request, [name]: undefined }, run)).rejects.toThrow(
      new TypeError(`The ${name} of an idempotent request must be a string`),
    )
    expect(run).not.toHaveBeenCalled()
  })

  it('is still recognised after the fingerprint key was rotated', async () => {
    const { store, idempotent } = setUp()
    await idempotent(request, async () => created)
    const rotated = createIdempotency({ store, keys: ['n'.repeat(32), 'k'.repeat(32)] })
    expect(await rotated(request, async () => created)).toMatchObject({ replayed: true })
  })

  it('gives the response although the store fails to keep it, and tells of it', async () => {
    const onStoreError = vi.fn()
    const broken: IdempotencyStore = {
      ...createMemoryIdempotencyStore(),
      complete: () => Promise.reject(new Error('disk full')),
      release: () => Promise.reject(new Error('disk full')),
    }
    const { idempotent } = setUp({ store: broken, onStoreError })
    expect(await idempotent(request, async () => created)).toMatchObject({ response: created })
    const error = new Error('boom')
    const again = idempotent({ ...request, idempotencyKey: 'other' }, () => Promise.reject(error))
    await expect(again).rejects.toBe(error)
    expect(onStoreError).toHaveBeenCalledTimes(2)
  })

  // It was told to nobody, and the request had run twice.
  it('tells of a request that outlived its lock, whose response is not kept', async () => {
    const onStoreError = vi.fn()
    const store = { ...createMemoryIdempotencyStore(), complete: async () => false }
    const { idempotent } = setUp({ store, onStoreError, lockFor: 300 })
    expect(await idempotent(request, async () => created)).toMatchObject({
      response: created,
      replayed: false,
    })
    expect(onStoreError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining('the 300 ms') as string }),
    )
  })

  it('replays none of the headers that were added to an answer', async () => {
    const { idempotent } = setUp()
    for (const replayed of [false, true, true]) {
      const answer = await idempotent(request, async () => ({ ...created, headers: { ...created.headers } }))
      expect(answer).toEqual({ response: created, replayed })
      Object.assign(answer.response.headers, { 'X-Request-Id': 'mine' })
    }
  })

  it('leaves no trace of the body in the store', async () => {
    const claim = vi.fn<IdempotencyStore['claim']>(async () => ({ state: 'claimed' }))
    const store = { ...createMemoryIdempotencyStore(), claim }
    await createIdempotency({ store, keys: ['k'.repeat(32)] })(request, async () => created)
    await createIdempotency({ store, keys: ['n'.repeat(32)] })(request, async () => created)
    const [first, second] = claim.mock.calls.map(([{ key, fingerprint }]) => ({ key, fingerprint }))
    expect(first?.key).toBe(second?.key)
    expect(first?.fingerprint).not.toBe(second?.fingerprint)
  })
})

it('needs keys of 32 bytes', () => {
  const store = createMemoryIdempotencyStore()
  expect(() => createIdempotency({ store, keys: [] })).toThrow(TypeError)
  expect(() => createIdempotency({ store, keys: ['short'] })).toThrow(TypeError)
})

// With locks and records that end at once, equal requests once ran again and again.
it.each(['lockFor', 'keepFor'])('needs a %s that is a positive integer', (name) => {
  const store = createMemoryIdempotencyStore()
  for (const value of [Number.NaN, 0, -5, 0.5, Infinity, '60' as never]) {
    expect(() => createIdempotency({ store, keys: ['k'.repeat(32)], [name]: value })).toThrow(
      new TypeError(`${name} must be a safe integer of at least 1`),
    )
  }
})

describe('the store in memory', () => {
  it.each([Number.NaN, 0, -1])('does not hold %d records', (maxRecords) => {
    expect(() => createMemoryIdempotencyStore({ maxRecords })).toThrow(TypeError)
  })

  const claim = (key: string, lockFor = 1000) => ({ key, fingerprint: 'f', token: key, lockFor })

  it('refuses new keys rather than forget those that are owed, and makes room of what has expired', async () => {
    const clock = { now: 0 }
    const store = createMemoryIdempotencyStore({ now: () => clock.now, maxRecords: 2 })
    await store.claim(claim('a'))
    await store.claim(claim('b', 5000))
    await expect(store.claim(claim('c'))).rejects.toMatchObject({
      code: 'OVERLOADED',
      status: 503,
      headers: { 'Retry-After': '1' },
    })
    clock.now = 1000
    expect(await store.claim(claim('c'))).toEqual({ state: 'claimed' })
    expect(await store.claim(claim('b'))).toEqual({ state: 'in-use', fingerprint: 'f', retryAfter: 4000 })
  })

  it('is not completed after the lock has ended', async () => {
    const clock = { now: 0 }
    const store = createMemoryIdempotencyStore({ now: () => clock.now })
    await store.claim(claim('a'))
    clock.now = 1000
    expect(await store.complete({ key: 'a', token: 'a', response: created, keepFor: 1000 })).toBe(false)
  })

  it('is completed and released by the holder alone', async () => {
    const store = createMemoryIdempotencyStore()
    await store.claim(claim('a'))
    await store.release({ key: 'a', token: 'another' })
    expect(await store.complete({ key: 'a', token: 'another', response: created, keepFor: 1000 })).toBe(false)
    expect(await store.complete({ key: 'a', token: 'a', response: created, keepFor: 1000 })).toBe(true)
    await store.release({ key: 'a', token: 'a' })
    expect(await store.claim(claim('a'))).toMatchObject({ state: 'completed' })
  })
})

describe('a response that is kept within a transaction', () => {
  it('is not kept a second time', async () => {
    const { store } = setUp()
    const complete = vi.fn(store.complete)
    const idempotent = createIdempotency({ store: { ...store, complete }, keys: ['k'.repeat(32)] })
    const { response, replayed } = await idempotent(request, async (keep) => {
      await keep(created, store)
      return created
    })
    expect([response, replayed]).toEqual([created, false])
    expect(complete).not.toHaveBeenCalled()
    expect(await idempotent(request, () => Promise.reject(new Error()))).toEqual({
      response: created,
      replayed: true,
    })
  })

  it('is that of the next attempt when the answer to its commit was lost', async () => {
    const { store, idempotent } = setUp()
    const lost = new Error('the connection broke')
    const first = idempotent(request, async (keep) => {
      await keep(created, store)
      throw lost
    })
    await expect(first).rejects.toBe(lost)
    expect(await idempotent(request, async () => created)).toEqual({ response: created, replayed: true })
  })

  it('gives way to the refusal that rolled it back', async () => {
    const { idempotent } = setUp()
    const refused = { ...created, status: 409 }
    await idempotent(request, async (keep) => {
      await keep(created, { complete: async () => true })
      return refused
    })
    expect(await idempotent(request, async () => created)).toEqual({ response: refused, replayed: true })
  })

  it('is none when its key was held for too long, and the same may have run beside it', async () => {
    const { clock, store, idempotent } = setUp({ lockFor: 1000 })
    const late = idempotent(request, async (keep) => {
      clock.now = 1000
      await keep(created, store)
      return created
    })
    await expect(late).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      headers: { 'Retry-After': '1' },
    })
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })

  it.each([429, 500, 503])('is not kept with %d', async (status) => {
    const { store, idempotent } = setUp()
    const failed = { ...created, status }
    await idempotent(request, async (keep) => {
      await keep(failed, store)
      return failed
    })
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })
})
