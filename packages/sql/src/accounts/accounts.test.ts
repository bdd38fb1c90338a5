import type { Kysely } from 'kysely'
import { openPostgres } from '../postgres/index.ts'
import { createKyselySessionStore } from '../sessions/session-store.ts'
import { describeWith } from '@sallyport/test-support/services'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { UserRow } from './tables.ts'
import type { RequestContext } from './context.ts'
import { createMemoryRateLimit, type RateLimitResult } from '@sallyport/rest'
import { createAccounts, type Accounts } from './accounts.ts'
import { createPasswords } from './passwords.ts'
import type { UserTransactions } from './transactions.ts'
import { accountMigrations, describeAccounts, type Tables } from '../../test/account-tables.ts'
import { openLogins } from '../../test/open-logins.ts'

const unknownId = '0190b6a0-0000-7000-8000-000000000000'
const byAdmin: RequestContext = {
  requestId: 'request',
  address: { url: '/api/v1/users', query: '' },
  path: '/users',
  mountPath: '/api/v1',
  clientNetwork: 'network',
  header: () => undefined,
  signal: new AbortController().signal,
  runAfter: () => undefined,
  conditions: { method: 'PATCH' },
  caller: { sub: unknownId, role: 'admin', sid: 'session' },
  showRateLimit: () => undefined,
  identify: () => Promise.resolve(undefined),
  dispatch: () => Promise.reject(new Error('unused')),
  isStillAllowed: () => Promise.resolve(true),
}
const password = 'an analytical engine'

/** Creates the session of `byAdmin`, once per database. */
async function openCallerSession(database: Kysely<Tables>): Promise<void> {
  const store = createKyselySessionStore(database)
  if ((await store.get('session')) !== undefined) return
  const [now, tokenHash] = [Date.now(), 'hash']
  await store.create({
    ...{ id: 'session', userId: unknownId, tokenHash, previousTokenHash: null, revokedAt: null },
    ...{ createdAt: now, rotatedAt: now, expiresAt: now + 3_600_000 },
  })
}

let accountsMade = 0
const nextEmail = () => `a${++accountsMade}@example.com`
describeAccounts((database) => {
  async function account() {
    const passwords = createPasswords()
    const pauses: number[] = []
    await openCallerSession(database())
    const pause = (forMs: number) => Promise.resolve(pauses.push(forMs))
    const { users, access, transactions, logins } = openLogins(database(), passwords, { pause })
    const accounts = createAccounts({ users, passwords, transactions })
    const user = await accounts.register({ email: nextEmail(), name: 'Ada', password })
    const logIn = (given = password) => logins.logIn({ email: user.email, password: given }, 'network')
    return { users, passwords, access, transactions, pauses, accounts, user, logIn }
  }

  /** Transactions in which sessions cannot be ended. */
  const failing =
    (transactions: UserTransactions): UserTransactions =>
    (act) =>
      transactions(({ sessions, ...rest }) =>
        act({ ...rest, sessions: { ...sessions, revokeUser: () => Promise.reject(new Error('Gone')) } }),
      )

  it('rolls back a password change when the sessions cannot be ended', async () => {
    const { users, passwords, access, transactions, accounts, user, logIn } = await account()
    const { access_token } = await logIn()
    const broken = createAccounts({ users, passwords, transactions: failing(transactions) })
    await expect(broken.change(user.id, { role: 'admin' }, byAdmin)).rejects.toThrow('Gone')
    await expect(broken.remove(user.id, byAdmin)).rejects.toThrow('Gone')
    expect(await users.get({ id: user.id })).toEqual(user)
    expect(await access.verifier.verify(access_token)).toMatchObject({ sub: user.id })

    await accounts.change(user.id, { role: 'admin' }, byAdmin)
    expect(await access.sessions.list(user.id)).toEqual([])
    await expect(access.verifier.verify(access_token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
    const again = await logIn()
    const other = await accounts.register({ email: nextEmail(), name: 'Other', password }, 'admin')
    await accounts.remove(user.id, byAdmin)
    await users.change({ id: other.id }, () => ({ role: 'user' }))
    await expect(access.verifier.verify(again.access_token)).rejects.toMatchObject({ code: 'INVALID_TOKEN' })
  })

  it('rejects a taken address before it hashes the password', async () => {
    const { users, passwords, transactions, user } = await account()
    const hash = vi.fn(passwords.hash)
    const accounts = createAccounts({ users, transactions, passwords: { ...passwords, hash } })
    const { email } = (await account()).user
    const details = [{ code: 'TAKEN', field: 'email', in: 'body', message: 'Is taken' }]
    const taken = { code: 'EMAIL_TAKEN', status: 409, details }
    await expect(accounts.change(user.id, { email, password }, byAdmin)).rejects.toMatchObject(taken)
    await expect(accounts.register({ email, name: 'Ada', password })).rejects.toMatchObject(taken)
    expect(hash).not.toHaveBeenCalled()
    const own = { email: user.email, password: 'a difference engine' }
    expect(await accounts.change(user.id, own, byAdmin)).toMatchObject({ version: 2 })
    expect(hash.mock.calls).toEqual([[own.password]])
  })

  it('counts only hashed password changes, per caller', async () => {
    const { users, passwords, transactions, user } = await account()
    const passwordChanges = createMemoryRateLimit({ name: 'auth', quota: 2, window: 60 })
    const accounts = createAccounts({ users, passwords, transactions, passwordChanges })
    const left: number[] = []
    const context = { ...byAdmin, showRateLimit: ({ remaining }: RateLimitResult) => left.push(remaining) }
    const { caller } = byAdmin
    const by = (sub: string) => ({ ...context, ...(caller && { caller: { ...caller, sub } }) })
    const setPassword = (id: string, sub: string) =>
      accounts.change(id, { password: 'a difference engine' }, by(sub))

    expect(await setPassword(user.id, 'one')).toMatchObject({ version: 2 })
    await expect(setPassword(unknownId, 'one')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await setPassword(user.id, 'one')).toMatchObject({ version: 3 })
    await expect(setPassword(user.id, 'one')).rejects.toMatchObject({
      ...{ code: 'RATE_LIMITED', status: 429, headers: { 'Retry-After': '60' } },
    })
    expect(left).toEqual([1, 0, 0])
    const renamed = await accounts.change(user.id, { name: 'Augusta' }, by('one'))
    expect(renamed).toMatchObject({ name: 'Augusta', version: 4 })
    expect(await setPassword(user.id, 'another')).toMatchObject({ version: 5 })
    expect(left).toEqual([1, 0, 0, 1])
  })

  it('applies concurrent changes of a user one after the other', async () => {
    const { accounts, pauses, user } = await account()
    const changes = Array.from({ length: 40 }, (_, index) =>
      accounts.change(user.id, { name: `Ada ${index}` }, byAdmin),
    )
    const versions = (await Promise.all(changes)).map(({ version }) => version)
    expect(new Set(versions).size).toBe(40)
    expect(Math.max(...versions)).toBe(41)
    expect(pauses).toEqual([])
  })

  it('retries a change after a deadlock and ends the sessions once', async () => {
    const { access, transactions, pauses, users, user, logIn } = await account()
    const { access_token } = await logIn()
    await transactions(async ({ users, sessions }) => {
      await users.change({ id: user.id }, ({ name }) => ({ name: `${name}+` }))
      if (pauses.length > 0) return
      await sessions.revokeUser(user.id)
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    })
    expect(pauses).toHaveLength(1)
    expect(await users.get({ id: user.id })).toMatchObject({ name: 'Ada+', version: 2 })
    expect(await access.verifier.verify(access_token)).toMatchObject({ sub: user.id })
  })

  // Each left the server without an admin.
  it.each([
    ['demoted', (accounts, id) => accounts.change(id, { role: 'user' }, byAdmin)],
    ['suspended', (accounts, id) => accounts.change(id, { status: 'suspended' }, byAdmin)],
    ['deleted', (accounts, id) => accounts.remove(id, byAdmin)],
  ] as const satisfies [string, (accounts: Accounts, id: string) => Promise<unknown>][])(
    'refuses that the last admin is %s, and leaves the admin unchanged',
    async (_, act) => {
      const { accounts, users, access, transactions } = await account()
      const admin = await accounts.register({ email: nextEmail(), name: 'Root', password }, 'admin')
      const suspended = await accounts.register({ email: nextEmail(), name: 'Gone', password }, 'admin')
      await accounts.change(suspended.id, { status: 'suspended' }, byAdmin)
      await transactions(({ sessions }) => sessions.create({ userId: admin.id }))
      await expect(act(accounts, admin.id)).rejects.toMatchObject({ code: 'LAST_ADMIN', status: 409 })
      expect(await users.get({ id: admin.id })).toEqual(admin)
      expect(await access.sessions.list(admin.id)).toHaveLength(1)
      expect(await accounts.change(admin.id, { name: 'Root II' }, byAdmin)).toMatchObject({ role: 'admin' })
      for (const { id } of [admin, suspended]) await users.remove({ id }, () => undefined)
    },
  )

  it('keeps one active admin when two processes remove both concurrently', async () => {
    const { users, accounts, transactions, passwords } = await account()
    const another = createAccounts({ users, passwords, transactions })
    for (let round = 0; round < 10; round++) {
      const [one, two] = await Promise.all(
        [nextEmail(), nextEmail()].map((email) =>
          accounts.register({ email, name: 'Root', password }, 'admin'),
        ),
      )
      const outcomes = await Promise.allSettled([
        accounts.change(one!.id, round % 2 === 0 ? { role: 'user' } : { status: 'suspended' }, byAdmin),
        round % 3 === 0
          ? another.remove(two!.id, byAdmin)
          : another.change(two!.id, { role: 'user' }, byAdmin),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'LAST_ADMIN' },
      })
      for (const { id } of [one!, two!]) await users.remove({ id }, () => undefined).catch(() => undefined)
    }
  }, 60_000)

  it.each([{ password: 'a difference engine' }, { status: 'suspended' }] satisfies (Partial<UserRow> & {
    password?: string
  })[])('leaves no session of logins that come at the same time: %j', async (change) => {
    const { access, accounts, user, logIn } = await account()
    await Promise.allSettled([logIn(), logIn(), accounts.change(user.id, change, byAdmin), logIn(), logIn()])
    expect(await access.sessions.list(user.id)).toEqual([])
  })
})

describeWith('postgres', (postgres) => {
  it('keeps an active admin where the database has repeatable read as its default', async () => {
    const url = new URL(postgres().url)
    url.searchParams.set('options', String.raw`-c default_transaction_isolation=repeatable\ read`)
    const database = await openPostgres({ url: url.href, wakeUps: false, migrate: true })
    onTestFinished(() => database.close())
    await database.migrate({ ...accountMigrations }, { table: 'test_migrations' })
    const passwords = createPasswords()
    const kysely = database.kysely.$extendTables<Tables>()
    await openCallerSession(kysely)
    const { users, transactions } = openLogins(kysely, passwords)
    const [first, second] = [1, 2].map(() => createAccounts({ users, passwords, transactions }))
    for (let round = 0; round < 10; round++) {
      const [one, two] = await Promise.all(
        [nextEmail(), nextEmail()].map((email) =>
          first!.register({ email, name: 'Root', password }, 'admin'),
        ),
      )
      const outcomes = await Promise.allSettled([
        first!.change(one!.id, { role: 'user' }, byAdmin),
        second!.change(two!.id, { role: 'user' }, byAdmin),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      for (const { id } of [one!, two!]) await users.remove({ id }, () => undefined)
    }
  })
})
