import type { StoredResponse } from '@sallyport/rest'
import type { ClaimRequest, IdempotencyStore } from '@sallyport/rest/store'
import type { TestRunner } from '@sallyport/webhooks/testing'

/** Provides stores and their clock to the suite. */
interface IdempotencyStoreFixture {
  /** Creates an empty store for each test. */
  readonly create: () => IdempotencyStore | Promise<IdempotencyStore>
  /** Advances the clock of the store by milliseconds, or waits. */
  readonly elapse: (milliseconds: number) => void | Promise<void>
}

const lockMs = 1000
const retentionMs = 2000

/**
 * Defines the conformance tests of {@link IdempotencyStore}.
 *
 * @param runner the functions of the test runner
 * @example
 * ```ts
 * import { createMemoryIdempotencyStore } from '@sallyport/rest'
 * import { testIdempotencyStore } from '@sallyport/testing/rest'
 * import { describe, expect, it } from 'vitest'
 *
 * let time = 0
 * testIdempotencyStore(
 *   { describe, expect, it },
 *   {
 *     create: () => createMemoryIdempotencyStore({ now: () => time }),
 *     elapse: (milliseconds) => {
 *       time += milliseconds
 *     },
 *   },
 * )
 * ```
 */
export function testIdempotencyStore(
  { describe, expect, it }: TestRunner,
  { create, elapse }: IdempotencyStoreFixture,
): void {
  describe('an idempotency store', () => {
    it('gives a key to the first claim and returns its fingerprint to later claims', async () => {
      const store = await create()
      expect(await store.claim(claim())).toEqual({ state: 'claimed' })
      const known = await store.claim(claim({ fingerprint: 'f-2', token: 't-2' }))
      expect(known.state === 'in-use' && known.fingerprint).toBe('f-1')
      expect(known.state === 'in-use' && known.retryAfterMs > 0 && known.retryAfterMs <= lockMs).toBe(true)
      expect((await store.claim(claim())).state).toBe('in-use')
      expect(await store.claim(claim({ key: 'k-2' }))).toEqual({ state: 'claimed' })
    })

    it('replays the saved response', async () => {
      const store = await create()
      for (const [index, response] of responses.entries()) {
        const key = `k-${index}`
        await store.claim(claim({ key }))
        expect(await store.complete({ key, token: 't-1', response, retentionMs })).toBe(true)
        const known = await store.claim(claim({ key, fingerprint: 'f-2', token: 't-2' }))
        expect(known).toEqual({ state: 'completed', fingerprint: 'f-1', response })
      }
    })

    it('lets one of many concurrent claims succeed', async () => {
      const store = await create()
      const claims = await claimAtOnce(store, 'first')
      const [winner = -1] = findWinners(claims)
      expect(findWinners(claims).length).toBe(1)
      expect(new Set(claims.map((known) => known.state === 'in-use' && known.fingerprint))).toEqual(
        new Set([false, `first-${winner}`]),
      )
    })

    it('lets one of many claims take over an expired lock', async () => {
      const store = await create()
      await store.claim(claim())
      await elapse(lockMs)
      const claims = await claimAtOnce(store, 'second')
      const [winner = -1] = findWinners(claims)
      expect(findWinners(claims).length).toBe(1)
      const token = `second-${winner}`
      expect(await store.complete({ key: 'k-1', token, response: created, retentionMs })).toBe(true)
    })

    it('saves the response of the holder once', async () => {
      const store = await create()
      await store.claim(claim())
      const late = { ...created, body: 'late' }
      expect(await store.complete({ key: 'k-1', token: 't-2', response: late, retentionMs })).toBe(false)
      expect(await store.complete({ key: 'k-2', token: 't-1', response: late, retentionMs })).toBe(false)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, retentionMs })).toBe(true)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: late, retentionMs })).toBe(false)
      const known = await store.claim(claim())
      expect(known.state === 'completed' && known.response).toEqual(created)
    })

    it('lets only the holder release a key', async () => {
      const store = await create()
      await store.claim(claim())
      await store.release({ key: 'k-1', token: 't-2' })
      expect((await store.claim(claim())).state).toBe('in-use')
      await store.release({ key: 'k-1', token: 't-1' })
      expect((await store.claim(claim())).state).toBe('claimed')
    })

    it('keeps the saved response after a release', async () => {
      const store = await create()
      await store.claim(claim())
      await store.complete({ key: 'k-1', token: 't-1', response: created, retentionMs })
      await store.release({ key: 'k-1', token: 't-1' })
      expect((await store.claim(claim())).state).toBe('completed')
    })

    it('expires a lock and rejects its former holder', async () => {
      const store = await create()
      await store.claim(claim())
      await elapse(lockMs)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, retentionMs })).toBe(false)
      expect(await store.claim(claim({ fingerprint: 'f-2', token: 't-2' }))).toEqual({ state: 'claimed' })
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, retentionMs })).toBe(false)
      await store.release({ key: 'k-1', token: 't-1' })
      const known = await store.claim(claim({ token: 't-3' }))
      expect(known.state === 'in-use' && known.fingerprint).toBe('f-2')
    })

    it('keeps a response past the lock until its retention ends', async () => {
      const store = await create()
      await store.claim(claim())
      await store.complete({ key: 'k-1', token: 't-1', response: created, retentionMs })
      await elapse(lockMs)
      expect((await store.claim(claim({ token: 't-2' }))).state).toBe('completed')
      await elapse(retentionMs - lockMs)
      expect(await store.claim(claim({ fingerprint: 'f-3', token: 't-3' }))).toEqual({ state: 'claimed' })
      const known = await store.claim(claim())
      expect(known.state === 'in-use' && known.fingerprint).toBe('f-3')
    })
  })
}

const created: StoredResponse = {
  status: 201,
  headers: { Location: '/posts/1', 'Content-Type': 'application/json; charset=utf-8' },
  body: '{"data":{"id":"1"}}',
}

const responses: readonly StoredResponse[] = [
  created,
  { status: 204, headers: {}, body: null },
  { status: 200, headers: {}, body: '' },
  { status: 400, headers: { 'X-Odd': `'"\\%_` }, body: 'ä🚪 \0 \\u0000 \ud800\n' },
  { status: 200, headers: {}, body: 'x'.repeat(100_000) },
]

function claim(fields: Partial<ClaimRequest> = {}): ClaimRequest {
  return { key: 'k-1', fingerprint: 'f-1', token: 't-1', lockMs, ...fields }
}

function claimAtOnce(store: IdempotencyStore, name: string) {
  const names = Array.from({ length: 20 }, (_, index) => `${name}-${index}`)
  return Promise.all(names.map((own) => store.claim(claim({ fingerprint: own, token: own }))))
}

function findWinners(claims: readonly { readonly state: string }[]): readonly number[] {
  return claims.flatMap(({ state }, index) => (state === 'claimed' ? [index] : []))
}
