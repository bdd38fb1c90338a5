import type { Kysely } from 'kysely'
import type { UserRow } from '@sallyport/sql/accounts'
import type { Tables } from '@sallyport/reference-server/src/database/tables.ts'

/** SQLite has a limit of 32,766 parameters, and a row has ten. */
const rowsPerStatement = 2000

/** Creates the row of a user from its number. Three users share a creation time. */
export function userAt(number: number, passwordHash = 'not a hash'): UserRow {
  const at = new Date(Date.UTC(2020, 0, 1) + Math.floor(number / 3) * 60_000)
  const time = at.getTime().toString(16).padStart(12, '0')
  const created_at = at.toISOString()
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`,
    version: 1,
    created_at,
    updated_at: created_at,
    email: `user-${number}@example.com`,
    name: `Ann Example ${(number * 7919) % 1_000_003}`,
    password_hash: passwordHash,
    role: 'user',
    endpoints: null,
    status: number % 10 === 0 ? 'suspended' : 'active',
  }
}

/** Inserts the users from 1 to `count` in one transaction. */
export async function seedUsers(db: Kysely<Tables>, count: number, passwordHash?: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (let first = 1; first <= count; first += rowsPerStatement) {
      const size = Math.min(rowsPerStatement, count - first + 1)
      const rows = Array.from({ length: size }, (_, index) => userAt(first + index, passwordHash))
      await transaction.insertInto('users').values(rows).execute()
    }
  })
}
