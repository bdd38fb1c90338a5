import type { ClaimRequest, IdempotencyStore, StoredResponse } from '../idempotency-store.ts'

/** The part of a test runner's `expect` that the suite uses. */
export interface SuiteExpectation {
  readonly toBe: (expected: unknown) => unknown
  readonly toEqual: (expected: unknown) => unknown
}

/** The functions of a test runner, such as vitest or jest. */
export interface SuiteRunner {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (name: string, run: () => Promise<void>) => unknown
  readonly expect: (actual: unknown) => SuiteExpectation
}

/** How the suite comes by a store. */
export interface IdempotencyStoreFixture {
  /** Makes an empty store, once a test. */
  readonly create: () => IdempotencyStore | Promise<IdempotencyStore>
  /** Lets milliseconds pass by the store's clock: sets the clock forward, or waits. */
  readonly elapse: (milliseconds: number) => void | Promise<void>
}

const lockFor = 1000
const keepFor = 2000

/**
 * Defines the tests that every {@link IdempotencyStore} passes.
 *
 * @param runner the functions of the test runner
 * @example
 * ```ts
 * import { createMemoryIdempotencyStore } from '@sallyport/rest'
 * import { testIdempotencyStore } from '@sallyport/rest/testing'
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
  { describe, expect, it }: SuiteRunner,
  { create, elapse }: IdempotencyStoreFixture,
): void {
  describe('an idempotency store', () => {
    it('gives a key to the first who claims it, and tells the others what it is used for', async () => {
      const store = await create()
      expect(await store.claim(claim())).toEqual({ state: 'claimed' })
      const known = await store.claim(claim({ fingerprint: 'f-2', token: 't-2' }))
      expect(known.state === 'in-use' && known.fingerprint).toBe('f-1')
      expect(known.state === 'in-use' && known.retryAfter > 0 && known.retryAfter <= lockFor).toBe(true)
      expect((await store.claim(claim())).state).toBe('in-use')
      expect(await store.claim(claim({ key: 'k-2' }))).toEqual({ state: 'claimed' })
    })

    it('replays the response that was kept', async () => {
      const store = await create()
      for (const [index, response] of responses.entries()) {
        const key = `k-${index}`
        await store.claim(claim({ key }))
        expect(await store.complete({ key, token: 't-1', response, keepFor })).toBe(true)
        const known = await store.claim(claim({ key, fingerprint: 'f-2', token: 't-2' }))
        expect(known).toEqual({ state: 'completed', fingerprint: 'f-1', response })
      }
    })

    it('gives a key to one of many who claim it at the same time', async () => {
      const store = await create()
      const claims = await claimAtOnce(store, 'first')
      const [winner = -1] = winnersOf(claims)
      expect(winnersOf(claims).length).toBe(1)
      expect(new Set(claims.map((known) => known.state === 'in-use' && known.fingerprint))).toEqual(
        new Set([false, `first-${winner}`]),
      )
    })

    it('gives a key whose lock has ended to one of many', async () => {
      const store = await create()
      await store.claim(claim())
      await elapse(lockFor)
      const claims = await claimAtOnce(store, 'second')
      const [winner = -1] = winnersOf(claims)
      expect(winnersOf(claims).length).toBe(1)
      const token = `second-${winner}`
      expect(await store.complete({ key: 'k-1', token, response: created, keepFor })).toBe(true)
    })

    it('keeps the response of the holder alone, and once', async () => {
      const store = await create()
      await store.claim(claim())
      const late = { ...created, body: 'late' }
      expect(await store.complete({ key: 'k-1', token: 't-2', response: late, keepFor })).toBe(false)
      expect(await store.complete({ key: 'k-2', token: 't-1', response: late, keepFor })).toBe(false)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, keepFor })).toBe(true)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: late, keepFor })).toBe(false)
      const known = await store.claim(claim())
      expect(known.state === 'completed' && known.response).toEqual(created)
    })

    it('is released by the holder alone', async () => {
      const store = await create()
      await store.claim(claim())
      await store.release({ key: 'k-1', token: 't-2' })
      expect((await store.claim(claim())).state).toBe('in-use')
      await store.release({ key: 'k-1', token: 't-1' })
      expect((await store.claim(claim())).state).toBe('claimed')
    })

    it('forgets no response by a release', async () => {
      const store = await create()
      await store.claim(claim())
      await store.complete({ key: 'k-1', token: 't-1', response: created, keepFor })
      await store.release({ key: 'k-1', token: 't-1' })
      expect((await store.claim(claim())).state).toBe('completed')
    })

    it('ends a lock by itself, and its holder with it', async () => {
      const store = await create()
      await store.claim(claim())
      await elapse(lockFor)
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, keepFor })).toBe(false)
      expect(await store.claim(claim({ fingerprint: 'f-2', token: 't-2' }))).toEqual({ state: 'claimed' })
      expect(await store.complete({ key: 'k-1', token: 't-1', response: created, keepFor })).toBe(false)
      await store.release({ key: 'k-1', token: 't-1' })
      const known = await store.claim(claim({ token: 't-3' }))
      expect(known.state === 'in-use' && known.fingerprint).toBe('f-2')
    })

    it('keeps a response for longer than the lock, and no longer than it was told to', async () => {
      const store = await create()
      await store.claim(claim())
      await store.complete({ key: 'k-1', token: 't-1', response: created, keepFor })
      await elapse(lockFor)
      expect((await store.claim(claim({ token: 't-2' }))).state).toBe('completed')
      await elapse(keepFor - lockFor)
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
  return { key: 'k-1', fingerprint: 'f-1', token: 't-1', lockFor, ...fields }
}

function claimAtOnce(store: IdempotencyStore, name: string) {
  const names = Array.from({ length: 20 }, (_, index) => `${name}-${index}`)
  return Promise.all(names.map((own) => store.claim(claim({ fingerprint: own, token: own }))))
}

function winnersOf(claims: readonly { readonly state: string }[]): readonly number[] {
  return claims.flatMap(({ state }, index) => (state === 'claimed' ? [index] : []))
}
