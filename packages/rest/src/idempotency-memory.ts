import { SallyportError } from '@sallyport/errors'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { integerOption } from './options.ts'

export interface MemoryIdempotencyStoreOptions {
  /**
   * Milliseconds since any fixed moment.
   *
   * @default Date.now
   */
  readonly now?: () => number
  /**
   * Records held at once; past it expired ones are dropped, and when there are none new keys are refused.
   *
   * @default 10_000
   */
  readonly maxRecords?: number
}

interface Record {
  readonly fingerprint: string
  readonly token: string
  readonly response: StoredResponse | undefined
  /** When the lock or the kept response ends. */
  readonly endsAt: number
}

/**
 * Keeps idempotency records in the memory of one process: for tests and for servers that run alone.
 *
 * Memory is bounded by `maxRecords` times the largest response. A record that is still owed is never dropped to make room: `claim` throws `OVERLOADED` (503) instead.
 *
 * @throws TypeError for an option out of range
 * @example
 * ```ts
 * import { createMemoryIdempotencyStore } from '@sallyport/rest'
 *
 * const store = createMemoryIdempotencyStore({ maxRecords: 1000 })
 * ```
 */
export function createMemoryIdempotencyStore({
  now = Date.now,
  maxRecords = 10_000,
}: MemoryIdempotencyStoreOptions = {}): IdempotencyStore {
  integerOption('maxRecords', maxRecords, 1)
  const records = new Map<string, Record>()

  const makeRoom = () => {
    if (records.size < maxRecords) return
    for (const [key, { endsAt }] of records) if (endsAt <= now()) records.delete(key)
    if (records.size >= maxRecords) {
      throw new SallyportError('OVERLOADED', 'Too many idempotency keys are in use; try again later', {
        headers: { 'Retry-After': '1' },
      })
    }
  }
  const held = (key: string, token: string): Record | undefined => {
    const record = records.get(key)
    const holds = record?.token === token && record.response === undefined && record.endsAt > now()
    return holds ? record : undefined
  }

  // Each body runs to its end without giving way, which is what makes it atomic.
  return {
    claim: ({ key, fingerprint, token, lockFor }) =>
      attempt(() => {
        const known = records.get(key)
        if (known !== undefined && known.endsAt > now()) {
          const { response } = known
          return response === undefined
            ? { state: 'in-use', fingerprint: known.fingerprint, retryAfter: known.endsAt - now() }
            : { state: 'completed', fingerprint: known.fingerprint, response: copyOf(response) }
        }
        records.delete(key)
        makeRoom()
        records.set(key, { fingerprint, token, response: undefined, endsAt: now() + lockFor })
        return { state: 'claimed' }
      }),
    complete: ({ key, token, response, keepFor }) =>
      attempt(() => {
        const record = held(key, token)
        // A copy each time: what the caller adds to the headers of one answer is not of the next.
        if (record !== undefined) {
          records.set(key, { ...record, response: copyOf(response), endsAt: now() + keepFor })
        }
        return record !== undefined
      }),
    release: ({ key, token }) =>
      attempt(() => {
        if (held(key, token) !== undefined) records.delete(key)
      }),
  }
}

function copyOf(response: StoredResponse): StoredResponse {
  return { ...response, headers: { ...response.headers } }
}

function attempt<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(action())
  })
}
