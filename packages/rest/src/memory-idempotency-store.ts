import { SallyportError } from '@sallyport/errors'
import type { IdempotencyStore, StoredResponse } from './idempotency-store.ts'
import { integerOption } from './options.ts'

export interface MemoryIdempotencyStoreOptions {
  /**
   * The clock, in milliseconds since any fixed moment.
   *
   * @default Date.now
   */
  readonly now?: () => number
  /**
   * Maximum number of records. At the limit the store deletes expired records; when none is expired, `claim` throws.
   *
   * @default 10_000
   */
  readonly maxRecords?: number
}

interface Record {
  readonly fingerprint: string
  readonly token: string
  readonly response: StoredResponse | undefined
  /** When the lock or the stored response expires. */
  readonly endsAt: number
}

/**
 * Creates an idempotency store in the memory of one process, for tests and for single-process servers.
 *
 * `maxRecords` times the largest response bounds the memory. The store never evicts a record before its expiry: at the
 * limit `claim` throws `OVERLOADED` (503).
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
  const findLocked = (key: string, token: string): Record | undefined => {
    const record = records.get(key)
    const isLocked = record?.token === token && record.response === undefined && record.endsAt > now()
    return isLocked ? record : undefined
  }

  // Each operation runs synchronously, so it is atomic.
  return {
    claim: ({ key, fingerprint, token, lockMs }) =>
      promisify(() => {
        const known = records.get(key)
        if (known !== undefined && known.endsAt > now()) {
          const { response } = known
          return response === undefined
            ? { state: 'in-use', fingerprint: known.fingerprint, retryAfterMs: known.endsAt - now() }
            : { state: 'completed', fingerprint: known.fingerprint, response: copyResponse(response) }
        }
        records.delete(key)
        makeRoom()
        records.set(key, { fingerprint, token, response: undefined, endsAt: now() + lockMs })
        return { state: 'claimed' }
      }),
    complete: ({ key, token, response, retentionMs }) =>
      promisify(() => {
        const record = findLocked(key, token)
        // Copied on write and on read: callers may add headers to one response.
        if (record !== undefined) {
          records.set(key, { ...record, response: copyResponse(response), endsAt: now() + retentionMs })
        }
        return record !== undefined
      }),
    release: ({ key, token }) =>
      promisify(() => {
        if (findLocked(key, token) !== undefined) records.delete(key)
      }),
  }
}

function copyResponse(response: StoredResponse): StoredResponse {
  return { ...response, headers: { ...response.headers } }
}

function promisify<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(action())
  })
}
