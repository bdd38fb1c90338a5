import { SallyportError } from '@sallyport/errors'
import type { StoredResponse } from '@sallyport/rest'
import type { ClaimRequest, IdempotencyClaim, IdempotencyStore } from '@sallyport/rest/store'
import { sql, type Kysely, type Transaction } from 'kysely'
import { databaseClock, fixedClock } from '../internal/clock.ts'
import { deleteInBatches } from '../internal/delete-in-batches.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import type { IdempotencyTables } from './tables.ts'

export interface KyselyIdempotencyStoreOptions {
  /**
   * Milliseconds since 1970, for tests. All processes must agree on the clock.
   *
   * @default the database's clock
   */
  readonly now?: () => number
}

export interface KyselyIdempotencyStore extends IdempotencyStore {
  /** Deletes the expired records; resolves to their number. */
  readonly prune: () => Promise<number>
}

// Each further attempt means that the record was deleted or expired between two statements.
const maxAttempts = 20

/**
 * Stores idempotency records in a database that {@link idempotencyMigration} has migrated.
 *
 * Of several concurrent claims, in any number of processes, exactly one gets the key. PostgreSQL must use its default
 * isolation level, read committed.
 *
 * Call `prune` regularly, such as once an hour: expired records have no effect, but stay until then.
 *
 * @param database a Kysely instance with any tables, or a transaction of yours
 * @throws TypeError for a database that is neither SQLite nor PostgreSQL
 */
export function createKyselyIdempotencyStore<Tables>(
  database: Kysely<Tables> | Transaction<Tables>,
  { now }: KyselyIdempotencyStoreOptions = {},
): KyselyIdempotencyStore {
  const db = database as unknown as Kysely<IdempotencyTables>
  const clock = now === undefined ? databaseClock(db) : fixedClock(now)
  const after = (milliseconds: number) => sql<number>`${clock()} + cast(${Math.ceil(milliseconds)} as bigint)`

  /** Takes the key when it is free or its record has expired, in one statement. */
  async function take({ key, fingerprint, token, lockMs }: ClaimRequest): Promise<boolean> {
    const taken = await db
      .insertInto('idempotency_records')
      .values({
        key: escapeText(key),
        fingerprint: escapeText(fingerprint),
        token: escapeText(token),
        response: null,
        ends_at: after(lockMs),
      })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((record) => ({
            fingerprint: record.ref('excluded.fingerprint'),
            token: record.ref('excluded.token'),
            response: null,
            ends_at: record.ref('excluded.ends_at'),
          }))
          .where('idempotency_records.ends_at', '<=', clock()),
      )
      .returning('key')
      .execute()
      .catch((error: unknown) => {
        throw isLockTimeout(error) ? contended(error) : error
      })
    return taken.length === 1
  }

  /** Reads the state of a key; undefined when the key is free. */
  async function look(key: string): Promise<IdempotencyClaim | undefined> {
    const record = await db
      .selectFrom('idempotency_records')
      .select(['fingerprint', 'response', sql<number | string>`ends_at - ${clock()}`.as('remaining')])
      .where('key', '=', escapeText(key))
      .executeTakeFirst()
    if (record === undefined) return undefined
    const remaining = Number(record.remaining)
    if (remaining <= 0) return undefined
    const fingerprint = unescapeText(record.fingerprint)
    if (record.response === null) return { state: 'in-use', fingerprint, retryAfterMs: remaining }
    return { state: 'completed', fingerprint, response: readResponse(record.response) }
  }

  return {
    async claim(request) {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        // `take` waits for a transaction that is about to store a response; a read does not.
        const known = await look(request.key)
        if (known !== undefined) return known
        if (await take(request)) return { state: 'claimed' }
      }
      throw contended()
    },

    async complete({ key, token, response: { status, headers, body }, retentionMs }) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_records')
        // JSON holds what text columns refuse, such as NUL.
        .set({ response: JSON.stringify({ status, headers, body }), ends_at: after(retentionMs) })
        .where('key', '=', escapeText(key))
        .where('token', '=', escapeText(token))
        .where('response', 'is', null)
        .where('ends_at', '>', clock())
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async release({ key, token }) {
      await db
        .deleteFrom('idempotency_records')
        .where('key', '=', escapeText(key))
        .where('token', '=', escapeText(token))
        .where('response', 'is', null)
        .execute()
    },

    prune: () =>
      deleteInBatches((limit) =>
        db
          .deleteFrom('idempotency_records')
          .where('key', 'in', (expired) =>
            expired
              .selectFrom('idempotency_records')
              .select('key')
              .where('ends_at', '<=', clock())
              .limit(limit),
          )
          .where('ends_at', '<=', clock())
          .executeTakeFirst(),
      ),
  }
}

/** Whether PostgreSQL ended a statement that waited too long for a lock. */
const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'

function contended(cause?: unknown): SallyportError {
  return new SallyportError('SERVICE_UNAVAILABLE', 'Too many requests use this Idempotency-Key; try again', {
    headers: { 'Retry-After': '1' },
    cause,
  })
}

/**
 * Parses the stored response.
 *
 * @throws SallyportError `INTERNAL_ERROR` for unreadable JSON, without the parser's message, which quotes the response
 */
function readResponse(json: string): StoredResponse {
  try {
    return JSON.parse(json) as StoredResponse
  } catch {
    throw new SallyportError(
      'INTERNAL_ERROR',
      'A stored response cannot be read as JSON: delete its row of idempotency_records, or wait until it expires',
    )
  }
}
