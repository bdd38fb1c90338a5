import { createPasswordHasher, type PasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import { expect, it } from 'vitest'
import { describeAccounts } from '../../test/account-tables.ts'
import { openLogins } from '../../test/open-logins.ts'

const password = 'an analytical engine'
const earlier = createPasswordHasher({ memoryKiB: 64, iterations: 1 })
const present = createPasswordHasher({ memoryKiB: 128, iterations: 1 })

let made = 0
describeAccounts((database) => {
  /** A user whose password was hashed with other parameters than the present ones. */
  async function setUp(passwords: PasswordHasher = present) {
    const problems: unknown[] = []
    const { users, access, logins } = openLogins(database(), passwords, {
      onRehashError: (error) => problems.push(error),
    })
    made += 1
    const { id, email } = await users.insert({
      email: `rehash${made}@example.com`,
      name: 'Ada',
      password_hash: await earlier.hash(password),
      role: 'user',
      status: 'active',
      endpoints: null,
    })
    const logIn = (given = password) => logins.logIn({ email, password: given }, 'network')
    const needsRehash = async () =>
      (await present.verify((await users.get({ id })).password_hash, password)).needsRehash
    return { users, access, id, logIn, needsRehash, problems }
  }

  it('rehashes a password after a change of the parameters', async () => {
    const { logIn, needsRehash, problems } = await setUp()
    expect(await needsRehash()).toBe(true)
    await logIn()
    expect(await needsRehash()).toBe(false)
    await logIn()
    expect(problems).toEqual([])
  })

  it('accepts a login when the rehash fails, and retries with the next login', async () => {
    const overloaded = new SallyportError('OVERLOADED', 'Too many')
    let failures = 1
    const { access, id, logIn, needsRehash, problems } = await setUp({
      ...present,
      hash: (text) => (failures-- > 0 ? Promise.reject(overloaded) : present.hash(text)),
    })
    const first = await logIn()
    expect(problems).toEqual([overloaded])
    expect(await needsRehash()).toBe(true)
    expect((await access.sessions.list(id)).map((session) => session.id)).toEqual([first.id])
    await logIn()
    expect(await needsRehash()).toBe(false)
    expect(problems).toHaveLength(1)
  })

  it('accepts concurrent logins with the right password', async () => {
    const { access, id, logIn, needsRehash } = await setUp()
    const grants = await Promise.all(Array.from({ length: 6 }, () => logIn()))
    expect(new Set((await access.sessions.list(id)).map((session) => session.id))).toEqual(
      new Set(grants.map((grant) => grant.id)),
    )
    expect(await needsRehash()).toBe(false)
  })

  it('accepts a login during the rehash of another login', async () => {
    let overtaken = 0
    const { access, id, logIn } = await setUp({
      ...present,
      async verify(stored, text) {
        const verdict = await present.verify(stored, text)
        if (overtaken++ === 0) await logIn()
        return verdict
      },
    })
    await logIn()
    expect(await access.sessions.list(id)).toHaveLength(2)
  })

  it('keeps a password that changes during the rehash', async () => {
    const changed = await present.hash('a difference engine')
    const one = await setUp({
      ...present,
      async hash(text) {
        const hashed = await present.hash(text)
        await one.users.change({ id: one.id }, () => ({ password_hash: changed }))
        return hashed
      },
    })
    await one.logIn()
    expect((await one.users.get({ id: one.id })).password_hash).toBe(changed)
    expect(one.problems).toEqual([])
  })

  it('rejects a login after a concurrent password change, and gives up while the account keeps changing', async () => {
    const changed = await present.hash('a difference engine')
    const one = await setUp({
      ...present,
      async verify(stored, text) {
        const verdict = await present.verify(stored, text)
        await one.users.change({ id: one.id }, () => ({ password_hash: changed }))
        return verdict
      },
    })
    await expect(one.logIn()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    const restless = await setUp({
      ...present,
      async verify(stored, text) {
        const verdict = await present.verify(stored, text)
        const password_hash = await present.hash(password)
        await restless.users.change({ id: restless.id }, () => ({ password_hash }))
        return verdict
      },
    })
    await expect(restless.logIn()).rejects.toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } },
    })
    for (const { access, id } of [one, restless]) expect(await access.sessions.list(id)).toEqual([])
  })
})
