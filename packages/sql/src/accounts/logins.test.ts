import { expect, it } from 'vitest'
import type { UserRow } from './tables.ts'
import { createPasswords } from './passwords.ts'
import { describeAccounts } from '../../test/account-tables.ts'
import { openLogins } from '../../test/open-logins.ts'

describeAccounts((database) => {
  it.each([
    [{ status: 'suspended' }, 'ACCOUNT_SUSPENDED'],
    [{ password_hash: 'another' }, 'INVALID_CREDENTIALS'],
    [{ status: 'suspended', password_hash: 'another' }, 'INVALID_CREDENTIALS'],
  ] satisfies [Partial<UserRow>, string][])(
    'reports a concurrent change of the account to the login: %j',
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
        endpoints: null,
      })
      await expect(logins.logIn({ email, password }, 'network')).rejects.toMatchObject({ code })
      expect(await access.sessions.list(id)).toEqual([])
    },
  )
  async function account(email: string) {
    const password = 'right'
    const verify = (_: unknown, given: string) =>
      Promise.resolve({ valid: given === password, needsRehash: false })
    const { users, logins } = openLogins(database(), { ...createPasswords(), verify })
    const user = {
      email,
      name: 'Ada',
      password_hash: 'x',
      role: 'user',
      status: 'active',
      endpoints: null,
    } as const
    await users.insert(user)
    const logIn = (given: string, network: string, address = email) =>
      logins.logIn({ email: address, password: given }, network).then(
        () => 'in',
        (error: unknown) => (error as { code: string }).code,
      )
    /** Wrong passwords, one from each network, all at once. */
    const guess = (count: number, address = email) =>
      Promise.all(Array.from({ length: count }, (_, index) => logIn('wrong', `stranger ${index}`, address)))
    return { logIn, guess }
  }
  const count = (codes: readonly string[], code: string) => codes.filter((one) => one === code).length

  // All 40 were 401.
  it('limits the failures of one account from many networks, at once or one by one', async () => {
    const { logIn, guess } = await account('guessed@example.com')
    const codes = await guess(40)
    expect([count(codes, 'INVALID_CREDENTIALS'), count(codes, 'RATE_LIMITED')]).toEqual([20, 20])
    expect(await logIn('right', 'another stranger')).toBe('RATE_LIMITED')
    const unknown = await guess(40, 'unknown@example.com')
    expect([count(unknown, 'INVALID_CREDENTIALS'), count(unknown, 'RATE_LIMITED')]).toEqual([20, 20])
  })

  it('keeps the allowance of a network with an earlier login while strangers guess', async () => {
    const { logIn, guess } = await account('known@example.com')
    expect(await logIn('right', 'home')).toBe('in')
    await guess(40)
    expect(await logIn('right', 'home')).toBe('in')
    const own = await Promise.all(Array.from({ length: 12 }, () => logIn('wrong', 'home')))
    expect([count(own, 'INVALID_CREDENTIALS'), count(own, 'RATE_LIMITED')]).toEqual([10, 2])
  })

  it('knows the network of a refreshed session after a restart, while strangers guess', async () => {
    const verify = (_stored: unknown, given: string) =>
      Promise.resolve({ valid: given === 'right', needsRehash: false })
    const { users, logins } = openLogins(database(), { ...createPasswords(), verify })
    const email = 'restarted@example.com'
    await users.insert({
      email,
      name: 'Ada',
      password_hash: 'x',
      role: 'user',
      status: 'active',
      endpoints: null,
    })
    const { id, refresh_token } = await logins.logIn({ email, password: 'right' }, 'home')

    const { logins: restarted } = openLogins(database(), { ...createPasswords(), verify })
    await restarted.refresh(id, refresh_token, 'home')
    const guess = (network: number) => restarted.logIn({ email, password: 'wrong' }, `stranger ${network}`)
    await Promise.allSettled(Array.from({ length: 20 }, (_, index) => guess(index)))
    await expect(restarted.logIn({ email, password: 'right' }, 'away')).rejects.toThrow('Too many')
    await expect(restarted.logIn({ email, password: 'right' }, 'home')).resolves.toHaveProperty('id')
  })

  // A suspended user has no session, unless it was refreshed at that moment.
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
      endpoints: null,
    })
    const grant = await logins.logIn({ email, password }, 'network')
    await users.change({ id }, () => ({ status: 'suspended' }))
    await expect(logins.refresh(grant.id, grant.refresh_token, 'network')).rejects.toMatchObject({
      code: 'INVALID_TOKEN',
      headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' },
    })
    expect(await access.sessions.list(id)).toEqual([])
    await expect(access.verifier.verify(grant.access_token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })
})
