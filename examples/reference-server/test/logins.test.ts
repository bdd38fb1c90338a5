import { expect, it } from 'vitest'
import { kyselySessionStore } from '@sallyport/sql/sessions'
import { createRateLimit } from '../src/http/rate-limit.ts'
import { createAccess } from '../src/sessions/access.ts'
import { createLogins } from '../src/sessions/logins.ts'
import type { UserRow } from '../src/database/tables.ts'
import { createPasswords } from '../src/users/passwords.ts'
import { createUsers } from '../src/users/repository.ts'
import { createUserTransactions } from '../src/users/transactions.ts'
import { describeDatabases } from './databases.ts'

describeDatabases((database) => {
  it.each([
    [{ status: 'suspended' }, 'ACCOUNT_SUSPENDED'],
    [{ password_hash: 'another' }, 'INVALID_CREDENTIALS'],
    [{ status: 'suspended', password_hash: 'another' }, 'INVALID_CREDENTIALS'],
  ] satisfies [Partial<UserRow>, string][])(
    'tells who logs in what has become of the account meanwhile: %j',
    async (meanwhile, code) => {
      const users = createUsers(database())
      const access = createAccess({
        store: kyselySessionStore(database()),
        secrets: ['s'.repeat(32)],
        issuer: 'test',
        audience: 'test',
      })
      const hasher = createPasswords()
      const password = 'an analytical engine'
      const { id, email } = await users.insert({
        email: `${code}${Object.keys(meanwhile).length}@example.com`.toLowerCase(),
        name: 'Ada',
        password_hash: await hasher.hash(password),
        role: 'user',
        status: 'active',
      })
      const logins = createLogins({
        users,
        transactions: createUserTransactions(database(), access),
        access,
        failures: createRateLimit({ name: 'login', quota: 10, window: 900 }),
        passwords: {
          ...hasher,
          async verify(stored, given) {
            const verdict = await hasher.verify(stored, given)
            await users.change({ id }, () => meanwhile)
            return verdict
          },
        },
      })
      await expect(logins.logIn({ email, password }, 'network')).rejects.toMatchObject({ code })
      expect(await access.sessions.list(id)).toEqual([])
    },
  )
  // Whoever is suspended has no session left, unless it was refreshed at that moment.
  it('ends a session that is refreshed once its user is suspended', async () => {
    const users = createUsers(database())
    const access = createAccess({
      store: kyselySessionStore(database()),
      secrets: ['s'.repeat(32)],
      issuer: 'test',
      audience: 'test',
    })
    const passwords = createPasswords()
    const logins = createLogins({
      users,
      transactions: createUserTransactions(database(), access),
      access,
      failures: createRateLimit({ name: 'login', quota: 10, window: 900 }),
      passwords,
    })
    const password = 'an analytical engine'
    const { id, email } = await users.insert({
      email: 'refreshed@example.com',
      name: 'Ada',
      password_hash: await passwords.hash(password),
      role: 'user',
      status: 'active',
    })
    const grant = await logins.logIn({ email, password }, 'network')
    await users.change({ id }, () => ({ status: 'suspended' }))
    await expect(logins.refresh(grant.id, grant.refresh_token)).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
      headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' },
    })
    expect(await access.sessions.list(id)).toEqual([])
    await expect(access.verifier.verify(grant.access_token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })
})
