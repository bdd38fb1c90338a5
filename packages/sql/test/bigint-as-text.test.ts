import { describeWith } from '@sallyport/test-support/services'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { idempotencyMigration } from '../src/idempotency/tables.ts'
import { createKyselyIdempotencyStore } from '../src/idempotency/idempotency-store.ts'
import { createKyselySessionStore } from '../src/sessions/session-store.ts'
import { sessionsMigration } from '../src/sessions/tables.ts'

describeWith('postgres', (postgres) => {
  it('is the default of pg, and the stores still read numbers', async () => {
    const pool = new pg.Pool({ connectionString: postgres().url })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    for (const migration of [sessionsMigration, idempotencyMigration]) await migration.up(db)

    const sessions = createKyselySessionStore(db)
    const session = {
      id: 's1',
      userId: 'u1',
      createdAt: 1_700_000_000_000,
      expiresAt: 1_900_000_000_000,
      tokenHash: 'hash',
      previousTokenHash: null,
      rotatedAt: 1_700_000_000_000,
      revokedAt: 1_800_000_000_000,
    }
    await sessions.create(session)
    expect(await sessions.get('s1')).toEqual(session)

    const records = createKyselyIdempotencyStore(db)
    const claim = { key: 'k', fingerprint: 'f', token: 't', lockMs: 60_000 }
    await records.claim(claim)
    const known = await records.claim(claim)
    expect(known.state === 'in-use' && known.retryAfterMs).toBeTypeOf('number')
    await db.destroy()
  })
})
