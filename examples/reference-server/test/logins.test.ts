import { expect, it } from 'vitest'
import type { UserRow } from '../src/database/tables.ts'
import { createPasswords } from '../src/users/passwords.ts'
import { describeDatabases } from './databases.ts'
import { openLogins } from './open-logins.ts'

describeDatabases((database) => {
  it.each([
    [{ status: 'suspended' }, 'ACCOUNT_SUSPENDED'],
    [{ password_hash: 'another' }, 'INVALID_CREDENTIALS'],
    [{ status: 'suspended', password_hash: 'another' }, 'INVALID_CREDENTIALS'],
  ] satisfies [Partial<UserRow>, string][])(
    'tells who logs in what has become of the account meanwhile: %j',
    async (meanwhile, code) => {
      const hasher = createPasswords()
      const { users, access, logins } = openLogins(database(), {
        ...hasher,
        async verify(stored, given) {
          const verdict = await hasher.verify(stored, given)
          await users.change({ id }, () => meanwhile)
          return verdict
        },
      })
      const password = 'an analytical engine'
      const { id, email } = await users.insert({
        email: `${code}${Object.keys(meanwhile).length}@example.com`.toLowerCase(),
        name: 'Ada',
        password_hash: await hasher.hash(password),
        role: 'user',
        status: 'active',
      })
      await expect(logins.logIn({ email, password }, 'network')).rejects.toMatchObject({ code })
      expect(await access.sessions.list(id)).toEqual([])
    },
  )
  // Whoever is suspended has no session left, unless it was refreshed at that moment.
  it('ends a session that is refreshed once its user is suspended', async () => {
    const passwords = createPasswords()
    const { users, access, logins } = openLogins(database(), passwords)
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
