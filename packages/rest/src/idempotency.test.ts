import { describe, expect, it, vi } from 'vitest'
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import {
  createIdempotency,
  validateIdempotencyKey,
  type IdempotencyOptions,
  type IdempotentRequest,
} from './idempotency.ts'

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
  it('runs once and replays the response for 24 hours', async () => {
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

  it('rejects another body, also while the first request runs', async () => {
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

  it('is in use while the first request runs', async () => {
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

  it('runs once for many concurrent requests', async () => {
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
  ])('is independent of the same key with another %s', async (_, over) => {
    const { idempotent } = setUp()
    await idempotent(request, async () => created)
    expect(await idempotent({ ...request, ...over }, async () => created)).toMatchObject({ replayed: false })
  })

  it.each([429, 500, 503])('does not save a %i', async (status) => {
    const { idempotent } = setUp()
    const failed = { status, headers: {}, body: null }
    expect(await idempotent(request, async () => failed)).toEqual({ response: failed, replayed: false })
    expect(await idempotent(request, async () => created)).toEqual({ response: created, replayed: false })
  })

  it.each([200, 302, 400, 409, 422])('saves a %i', async (status) => {
    const { idempotent } = setUp()
    const response = { status, headers: {}, body: '{}' }
    await idempotent(request, async () => response)
    expect(await idempotent(request, async () => created)).toEqual({ response, replayed: true })
  })

  it('is free again after the first request throws, and rethrows the error', async () => {
    const { idempotent } = setUp()
    const error = new Error('boom')
    await expect(idempotent(request, () => Promise.reject(error))).rejects.toBe(error)
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })

  it('is free again after its lock expires, and rejects the late holder', async () => {
    const { clock, idempotent } = setUp({ lockMs: 1000 })
    const late = { ...created, body: 'late' }
    await idempotent(request, async () => {
      clock.now = 1000
      expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
      return late
    })
    expect(await idempotent(request, async () => late)).toEqual({ response: created, replayed: true })
  })

  it('is free again after the answer to its claim is lost', async () => {
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

  it.each(['', ' ', 'a b', 'é', 'a\n', 'x'.repeat(256)])('rejects the key %j', async (idempotencyKey) => {
    const { idempotent } = setUp()
    await expect(idempotent({ ...request, idempotencyKey }, async () => created)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'Idempotency-Key' }],
    })
  })

  // Regression: undefined passed as the text "undefined" and received the response of another request.
  it.each([undefined, null, 7, ['key-1']])('rejects the key %j, which is not a string', async (none) => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    const without = { ...request, idempotencyKey: none as never }
    await expect(idempotent(without, run)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    expect(run).not.toHaveBeenCalled()
  })

  // Regression: all callers without a scope shared one scope.
  it.each(['scope', 'method', 'path'])('requires a %s', async (name) => {
    const { idempotent } = setUp()
    const run = vi.fn(async () => created)
    await expect(idempotent({ ...request, [name]: undefined }, run)).rejects.toThrow(
      new TypeError(`The ${name} of an idempotent request must be a string`),
    )
    expect(run).not.toHaveBeenCalled()
  })

  it('is recognized after the rotation of the fingerprint key', async () => {
    const { store, idempotent } = setUp()
    await idempotent(request, async () => created)
    const rotated = createIdempotency({ store, keys: ['n'.repeat(32), 'k'.repeat(32)] })
    expect(await rotated(request, async () => created)).toMatchObject({ replayed: true })
  })

  it('returns the response and reports the error when the store cannot save it', async () => {
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

  // Regression: no error was reported although the request had run twice.
  it('reports a request that outlasted its lock, and does not save its response', async () => {
    const onStoreError = vi.fn()
    const store = { ...createMemoryIdempotencyStore(), complete: async () => false }
    const { idempotent } = setUp({ store, onStoreError, lockMs: 300 })
    expect(await idempotent(request, async () => created)).toMatchObject({
      response: created,
      replayed: false,
    })
    expect(onStoreError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringContaining('the 300 ms') as string }),
    )
  })

  it('replays without the headers that were added to an earlier response', async () => {
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

it('requires keys of 32 bytes', () => {
  const store = createMemoryIdempotencyStore()
  expect(() => createIdempotency({ store, keys: [] })).toThrow(TypeError)
  expect(() => createIdempotency({ store, keys: ['short'] })).toThrow(TypeError)
})

// Regression: with locks and records that expire at once, repeated requests ran again.
it.each(['lockMs', 'retentionMs'])('requires a positive integer for %s', (name) => {
  const store = createMemoryIdempotencyStore()
  for (const value of [Number.NaN, 0, -5, 0.5, Infinity, '60' as never]) {
    expect(() => createIdempotency({ store, keys: ['k'.repeat(32)], [name]: value })).toThrow(
      new TypeError(`${name} must be a safe integer of at least 1`),
    )
  }
})

describe('the memory store', () => {
  it.each([Number.NaN, 0, -1])('rejects a maxRecords of %d', (maxRecords) => {
    expect(() => createMemoryIdempotencyStore({ maxRecords })).toThrow(TypeError)
  })

  const claim = (key: string, lockMs = 1000) => ({ key, fingerprint: 'f', token: key, lockMs })

  it('at the limit rejects new keys, then evicts expired records', async () => {
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
    expect(await store.claim(claim('b'))).toEqual({ state: 'in-use', fingerprint: 'f', retryAfterMs: 4000 })
  })

  it('rejects completion after the lock expires', async () => {
    const clock = { now: 0 }
    const store = createMemoryIdempotencyStore({ now: () => clock.now })
    await store.claim(claim('a'))
    clock.now = 1000
    expect(await store.complete({ key: 'a', token: 'a', response: created, retentionMs: 1000 })).toBe(false)
  })

  it('lets only the holder complete or release a key', async () => {
    const store = createMemoryIdempotencyStore()
    await store.claim(claim('a'))
    await store.release({ key: 'a', token: 'another' })
    expect(await store.complete({ key: 'a', token: 'another', response: created, retentionMs: 1000 })).toBe(
      false,
    )
    expect(await store.complete({ key: 'a', token: 'a', response: created, retentionMs: 1000 })).toBe(true)
    await store.release({ key: 'a', token: 'a' })
    expect(await store.claim(claim('a'))).toMatchObject({ state: 'completed' })
  })
})

describe('a response that is saved in a transaction', () => {
  it('is not saved again by the runner', async () => {
    const { store } = setUp()
    const complete = vi.fn(store.complete)
    const idempotent = createIdempotency({ store: { ...store, complete }, keys: ['k'.repeat(32)] })
    const { response, replayed } = await idempotent(request, async (save) => {
      await save(created, store)
      return created
    })
    expect([response, replayed]).toEqual([created, false])
    expect(complete).not.toHaveBeenCalled()
    expect(await idempotent(request, () => Promise.reject(new Error()))).toEqual({
      response: created,
      replayed: true,
    })
  })

  it('serves the next attempt after the answer to the commit is lost', async () => {
    const { store, idempotent } = setUp()
    const lost = new Error('the connection broke')
    const first = idempotent(request, async (save) => {
      await save(created, store)
      throw lost
    })
    await expect(first).rejects.toBe(lost)
    expect(await idempotent(request, async () => created)).toEqual({ response: created, replayed: true })
  })

  it('is replaced by the response that follows a rollback', async () => {
    const { idempotent } = setUp()
    const refused = { ...created, status: 409 }
    await idempotent(request, async (save) => {
      await save(created, { complete: async () => true })
      return refused
    })
    expect(await idempotent(request, async () => created)).toEqual({ response: refused, replayed: true })
  })

  it('is rejected after the lock expires', async () => {
    const { clock, store, idempotent } = setUp({ lockMs: 1000 })
    const late = idempotent(request, async (save) => {
      clock.now = 1000
      await save(created, store)
      return created
    })
    await expect(late).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      headers: { 'Retry-After': '1' },
    })
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })

  it.each([429, 500, 503])('is not saved with status %d', async (status) => {
    const { store, idempotent } = setUp()
    const failed = { ...created, status }
    await idempotent(request, async (save) => {
      await save(failed, store)
      return failed
    })
    expect(await idempotent(request, async () => created)).toMatchObject({ replayed: false })
  })
})

it.each(['a1', '"8e03978e-40d5-43e8-bc93-6894a57f9324"', '"a b"', String.raw`"a \"b\" \\"`, 'x'.repeat(255)])(
  'accepts the key %s',
  (key) => {
    expect(validateIdempotencyKey(key)).toEqual([])
  },
)

it.each([undefined, '', 'a b', '"a", "b"', '"a" b', 'é', '"é"', String.raw`"a \b"`, 'x'.repeat(256)])(
  'refuses the key %s',
  (key) => {
    expect(validateIdempotencyKey(key)).toMatchObject([{ code: 'INVALID_FORMAT' }])
  },
)
