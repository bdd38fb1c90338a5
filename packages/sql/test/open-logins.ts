import type { PasswordHasher } from '@sallyport/auth/password'
import { createKyselySessionStore } from '../src/sessions/session-store.ts'
import type { Kysely } from 'kysely'
import type { Tables } from './account-tables.ts'
import { createMemoryRateLimit } from '@sallyport/rest'
import { createAccess } from '../src/accounts/access.ts'
import { createKnownNetworks } from '../src/accounts/known-networks.ts'
import { createLogins } from '../src/accounts/logins.ts'
import { createUsers } from '../src/accounts/users.ts'
import { createUserTransactions } from '../src/accounts/transactions.ts'

type LoginOptions = NonNullable<Parameters<typeof createUserTransactions>[2]> &
  Pick<Parameters<typeof createLogins>[0], 'onRehashError'>

/** Users, their sessions and their logins on a database, without a server around them. */
export function openLogins(database: Kysely<Tables>, passwords: PasswordHasher, options: LoginOptions = {}) {
  const db = database.$pickTables<'users' | 'invitations'>()
  const users = createUsers(db)
  const access = createAccess({
    store: createKyselySessionStore(db),
    secrets: ['s'.repeat(32)],
    issuer: 'test',
    audience: 'test',
  })
  const transactions = createUserTransactions(db, access, options)
  const failures = createMemoryRateLimit({ name: 'login', quota: 10, window: 900 })
  const accountFailures = createMemoryRateLimit({ name: 'account', quota: 20, window: 3600 })
  const knownNetworks = createKnownNetworks()
  const limits = { failures, accountFailures, knownNetworks }
  const logins = createLogins({ ...options, users, transactions, access, passwords, ...limits })
  return { users, access, transactions, logins }
}
