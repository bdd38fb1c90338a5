import { hash } from 'node:crypto'
import { OidcError, type OidcClient, type OidcIdentity } from '@sallyport/auth/oidc'
import type { SecurityEvent } from '@sallyport/sql/accounts'
import type { AuditRecord } from '@sallyport/webhooks/audit'
import { beforeEach, describe, expect, it } from 'vitest'
import { base, describeAccountApi, type AccountApi } from '../../test/account-api.ts'
import { readGroupRoles } from './group-roles.ts'

const issuer = 'https://id.example'
const ann = { sub: 'ann-7', email: 'Ann@example.com', name: 'Ann', groups: ['support'] }

/** A client that reads the identity from the query, as if the issuer had signed it. */
const client: OidcClient = {
  origin: base,
  home: '/console',
  forget: () => Promise.resolve('login=; Max-Age=0'),
  begin: (_, returnTo) =>
    Promise.resolve({ location: `${issuer}/?to=${returnTo ?? ''}`, cookies: ['login=sealed'] }),
  finish({ query }) {
    const text = new URLSearchParams(query).get('identity')
    if (text === null) throw new OidcError('expired', { detail: 'invalid_grant' })
    const { sub: subject, ...claims } = JSON.parse(text) as typeof ann
    const { email, name } = claims
    const identity: OidcIdentity = { issuer, subject, email, name, claims }
    return Promise.resolve({ identity, location: '/console/events', cookies: ['login=; Max-Age=0'] })
  },
  end: () => Promise.resolve({ location: `${issuer}/logout`, cookies: ['hint=; Max-Age=0'] }),
}

const limited = (region: string) => ({ permissions: 'read,replay', endpoints: { region } })
const roles = JSON.stringify({
  ...{ platform: 'admin', support: 'read,replay' },
  ...{ 'support-eu': limited('eu'), 'support-us': limited('us') },
})

const events: SecurityEvent[] = []
const audited: AuditRecord[] = []
beforeEach(() => {
  events.length = audited.length = 0
})

describeAccountApi(
  (api) => {
    const logIn = (identity: object) =>
      api().call('GET', `/sessions/sso/callback?identity=${encodeURIComponent(JSON.stringify(identity))}`)

    it('leads to the issuer', async () => {
      const { status, headers } = await api().call('GET', '/sessions/sso?return_to=/console/keys')
      expect([status, headers.get('location')]).toEqual([303, `${issuer}/?to=/console/keys`])
      expect(headers.getSetCookie()).toEqual(['login=sealed'])
    })

    it('creates a user with the role of the groups, and a session of eight hours', async () => {
      const { status, headers } = await logIn({ ...ann, sub: 'new' })
      expect([status, headers.get('location')]).toEqual([303, '/console/events'])
      const [, session = ''] = headers.getSetCookie()
      expect(session).toMatch(/^sallyport=.*; Max-Age=28(800|799); HttpOnly; SameSite=Strict$/)
      expect(await getUser(api(), 'ann@example.com')).toMatchObject({ role: 'support', name: 'Ann' })
      expect(events.map(({ event }) => event)).toEqual(['user.created', 'login.succeeded'])
      const own = await api().call('GET', '/sessions', {
        headers: { cookie: session.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' },
      })
      expect([own.status, own.list.length]).toEqual([200, 1])
    })

    it('finds the user again, with another address and role', async () => {
      await logIn({ ...ann, sub: 'again', email: 'a@example.com' })
      const { id } = await getUser(api(), 'a@example.com')
      await logIn({ ...ann, sub: 'again', email: 'b@example.com', groups: ['platform', 'support'] })
      expect(await getUser(api(), 'b@example.com')).toMatchObject({ id, role: 'admin' })
      expect(events.map(({ event, changed }) => [event, changed])).toContainEqual(['user.changed', ['role']])
    })

    it('ends other sessions of a user with a new role', async () => {
      const [, first = ''] = (await logIn({ ...ann, sub: 'two' })).headers.getSetCookie()
      const read = () =>
        api().call('GET', '/sessions', {
          headers: { cookie: first.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' },
        })
      await logIn({ ...ann, sub: 'two' })
      expect((await read()).status).toBe(200)
      await logIn({ ...ann, sub: 'two', groups: ['platform'] })
      expect((await read()).status).toBe(401)
    })

    it('limits a user to the endpoints of the groups, and ends the sessions of another limit', async () => {
      const [, first = ''] = (
        await logIn({ ...ann, sub: 'eu', groups: ['support-eu'] })
      ).headers.getSetCookie()
      expect(await getBySubject(api(), 'eu')).toMatchObject({ role: 'support', endpoints: 'region=eu' })
      events.length = 0
      await logIn({ ...ann, sub: 'eu', groups: ['support-eu', 'support-us'] })
      expect(await getBySubject(api(), 'eu')).toMatchObject({ endpoints: 'region=eu;region=us' })
      expect(events[0]).toMatchObject({ event: 'user.changed', changed: ['endpoints'] })
      const headers = { cookie: first.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
      expect((await api().call('GET', '/sessions', { headers })).status).toBe(401)
      await logIn({ ...ann, sub: 'eu', groups: ['platform'] })
      expect(await getBySubject(api(), 'eu')).toMatchObject({ role: 'admin', endpoints: null })
    })

    it('takes the role from a user without a group, and refuses the login', async () => {
      await logIn({ ...ann, sub: 'left', email: 'left@example.com' })
      const { status, headers } = await logIn({ ...ann, sub: 'left', email: 'left@example.com', groups: [] })
      expect([status, headers.get('location')]).toEqual([303, '/console?login_error=no_role'])
      expect(headers.getSetCookie()).toEqual(['login=; Max-Age=0'])
      const { id } = await getUser(api(), 'left@example.com')
      expect(await getUser(api(), 'left@example.com')).toMatchObject({ role: 'user' })
      const actor = { id, name: 'left@example.com' }
      expect(audited.map(({ action, detail }) => [action, detail?.['role']])).toEqual([
        ['user.create', 'support'],
        ['user.update', 'user'],
      ])
      expect(audited[1]).toMatchObject({ actor, target: id })
    })

    it('creates no user without a group', async () => {
      await logIn({ ...ann, sub: 'nobody', email: 'nobody@example.com', groups: ['sales'] })
      expect(await api().accounts.users.find({ email: 'nobody@example.com' })).toBeUndefined()
    })

    it('refuses a suspended user', async () => {
      await logIn({ ...ann, sub: 'bad', email: 'bad@example.com' })
      const { id } = await getUser(api(), 'bad@example.com')
      const json = { status: 'suspended' }
      expect((await api().call('PATCH', `/users/${id}`, { token: api().admin.token, json })).status).toBe(200)
      const { headers } = await logIn({ ...ann, sub: 'bad', email: 'bad@example.com' })
      expect(headers.get('location')).toBe('/console?login_error=suspended')
    })

    it('reports a failure of the issuer', async () => {
      const { headers } = await api().call('GET', '/sessions/sso/callback?code=x')
      expect(headers.get('location')).toBe('/console?login_error=expired')
      expect(events).toEqual([
        expect.objectContaining({ event: 'login.failed', code: 'expired: invalid_grant', status: 303 }),
      ])
    })

    it('logs out at the issuer only from a page of the origin', async () => {
      const { headers } = await api().call('GET', '/sessions/sso/end', {
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      expect(headers.get('location')).toBe(`${issuer}/logout`)
      const other = { 'sec-fetch-site': 'cross-site' }
      expect((await api().call('GET', '/sessions/sso/end', { headers: other })).status).toBe(403)
    })

    describe('the e-mail address', () => {
      it('of another user gives no access to that user', async () => {
        const user = await api().user()
        await logIn({ ...ann, sub: 'thief', email: user.email })
        expect(await getUser(api(), user.email)).toMatchObject({ id: user.id, role: 'user', issuer: null })
        const { email } = await getBySubject(api(), 'thief')
        expect(email).toMatch(/^[0-9a-f-]{36}@sso\.invalid$/)
        await logIn({ ...ann, sub: 'thief', email: user.email })
        expect(await getBySubject(api(), 'thief')).toMatchObject({ email })
      })

      it('cannot be taken before the first login to keep a user out', async () => {
        const user = await api().user()
        const guess = `${hash('sha256', `${issuer} late`).slice(0, 24)}@sso.invalid`
        const json = { email: guess, password: 'a good password', name: 'Squatter' }
        expect((await api().call('POST', '/users', { json })).status).toBe(201)
        const { headers } = await logIn({ ...ann, sub: 'late', email: user.email })
        expect(headers.get('location')).toBe('/console/events')
      })

      it('may be missing or malformed', async () => {
        await logIn({ sub: 'plain', groups: ['support'] })
        await logIn({ sub: 'odd', email: 'no address', name: '\0', groups: ['support'] })
        const { email, name } = await getBySubject(api(), 'odd')
        expect([email, name]).toEqual([expect.stringMatching(/@sso\.invalid$/), email])
      })
    })

    it('gives concurrent first logins one user', async () => {
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => logIn({ ...ann, sub: 'fast', email: 'fast@example.com' })),
      )
      expect(answers.map(({ headers }) => headers.get('location'))).toEqual(
        Array.from({ length: 3 }, () => '/console/events'),
      )
    })

    it('shows the issuer of a user, which no request changes', async () => {
      await logIn({ ...ann, sub: 'shown', email: 'shown@example.com' })
      const { id, issuer } = await getUser(api(), 'shown@example.com')
      const patch = async (json: object) =>
        (await api().call('PATCH', `/users/${id}`, { token: api().admin.token, json })).status
      expect([await patch({ issuer, name: 'Anna' }), await patch({ issuer: null })]).toEqual([200, 400])
    })

    it.each([{ password: 'a new password' }, { email: 'mine@example.com' }, { role: 'admin' }])(
      'refuses a change of %o, which the issuer decides',
      async (json) => {
        await logIn({ ...ann, sub: 'kept', email: 'kept@example.com' })
        const { id } = await getUser(api(), 'kept@example.com')
        const { status, error } = await api().call('PATCH', `/users/${id}`, {
          token: api().admin.token,
          json,
        })
        expect([status, error.code]).toEqual([403, 'FORBIDDEN'])
      },
    )

    it('is no way in for the first admin, who needs a password', async () => {
      await logIn({ ...ann, sub: 'boss', email: 'boss@example.com', groups: ['platform'] })
      const admin = { email: 'boss@example.com', password: 'a good password' }
      expect(await api().accounts.ensureAdmin(admin)).toBe(false)
    })

    it.each(['', '!', 'an analytical engine'])('refuses the password %j for its user', async (password) => {
      await logIn({ ...ann, sub: 'locked', email: 'locked@example.com' })
      const json = { email: 'locked@example.com', password: password || ' ' }
      const { error } = await api().call('POST', '/sessions', { json })
      expect(error.code).toBe('INVALID_CREDENTIALS')
    })
  },
  {
    onEvent: (event) => void events.push(event),
    audit: { record: (entry) => Promise.resolve(void audited.push(entry)) },
    singleSignOn: { client, roles: readGroupRoles(roles) },
  },
)

describe('with passwords for the first admin only', () => {
  describeAccountApi(
    (api) => {
      it('refuses the password of another user', async () => {
        const account = { email: 'user@example.com', password: 'a good password', name: 'User' }
        await api().call('POST', '/users', { json: account, token: api().admin.token })
        const { status, error } = await api().call('POST', '/sessions', {
          json: { email: account.email, password: account.password },
        })
        expect([status, error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
        expect((await api().logIn(api().admin)).id).toBe(api().admin.id)
      })
    },
    { passwordLogins: ['admin@example.com'] },
  )
})

async function getUser(api: AccountApi, email: string) {
  const user = await api.accounts.users.find({ email })
  if (user === undefined) throw new Error(`There is no user ${email}`)
  return user
}

async function getBySubject(api: AccountApi, subject: string) {
  const user = await api.accounts.users.find({ issuer, subject })
  if (user === undefined) throw new Error(`There is no user ${subject}`)
  return user
}
