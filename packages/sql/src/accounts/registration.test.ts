import { describe, expect, it } from 'vitest'
import { base, describeAccountApi, type AccountApi } from '../../test/account-api.ts'

let accounts = 0
function createAccount(email = `registered${++accounts}@example.com`) {
  return { email, name: 'Ada Lovelace', password: 'an analytical engine' }
}

const register = ({ call }: AccountApi, account: object, token?: string) =>
  call('POST', '/users', { json: account, token })

describeAccountApi(
  (api) => {
    const closed = { status: 403, error: { code: 'REGISTRATION_CLOSED' } }

    it('is closed but to admins', async () => {
      expect(await register(api(), createAccount())).toMatchObject(closed)
      // Not even whether an address is taken.
      expect(await register(api(), createAccount(api().admin.email))).toMatchObject(closed)
      expect(await register(api(), createAccount(), 'no token')).toMatchObject(closed)
      const account = createAccount()
      expect((await register(api(), account, api().admin.token)).data).toMatchObject({ role: 'user' })
      const { token } = await api().logIn(account)
      expect(await register(api(), createAccount(), token)).toMatchObject(closed)
      const { admin, call } = api()
      expect((await call('POST', '/invitations', { token: admin.token, json: {} })).status).toBe(404)
    })

    it('is closed to API keys and to the cookie of an admin on another site', async () => {
      const { accounts, admin, call } = api()
      const { id: ownerId, email, password } = admin
      const key = await accounts.apiKeys.create({ name: 'CI', scopes: ['keys:write'], ownerId })
      expect((await register(api(), createAccount(), key.text)).status).toBe(403)

      const own = { origin: base, 'sec-fetch-site': 'same-origin', 'x-csrf-protection': '1' }
      const login = await call('POST', '/sessions/cookie', { json: { email, password }, headers: own })
      const cookie = login.headers.get('set-cookie')!.split(';')[0]!
      const send = (headers: Readonly<Record<string, string>>) =>
        call('POST', '/users', { json: createAccount(), headers: { cookie, ...headers } })
      expect(await send({ ...own, 'sec-fetch-site': 'cross-site' })).toMatchObject(closed)
      expect((await send(own)).status).toBe(201)
    })
  },
  { registration: 'closed' },
)

describeAccountApi(
  (api) => {
    async function invite(json: object = {}, token = api().admin.token) {
      const { status, data, text } = await api().call('POST', '/invitations', { token, json })
      if (status !== 201) throw new Error(`No invitation: ${text}`)
      return { id: data.id, invitation: String(data['token']), data }
    }
    const invalid = { status: 403, error: { code: 'INVITATION_INVALID' } }

    describe('an invitation', () => {
      it('registers one user', async () => {
        const { invitation } = await invite()
        const account = createAccount()
        expect((await register(api(), { ...account, invitation })).data).toMatchObject({
          email: account.email,
          role: 'user',
        })
        expect(await register(api(), { ...createAccount(), invitation })).toMatchObject(invalid)
        expect((await api().logIn(account)).token).toBeDefined()
      })

      it('registers one of concurrent users', async () => {
        const { invitation } = await invite()
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => register(api(), { ...createAccount(), invitation })),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(403)])
      })

      it('stays valid when the registration fails', async () => {
        const { invitation } = await invite()
        const taken = { ...createAccount(api().admin.email), invitation }
        expect((await register(api(), taken)).error.code).toBe('EMAIL_TAKEN')
        expect((await register(api(), { ...createAccount(), invitation })).status).toBe(201)
      })

      it('is for its address only', async () => {
        const account = createAccount('Ada.Invited@example.com')
        const { invitation, data } = await invite({ email: account.email })
        expect(data['email']).toBe('ada.invited@example.com')
        expect(await register(api(), { ...createAccount(), invitation })).toMatchObject(invalid)
        expect((await register(api(), { ...account, invitation })).status).toBe(201)
      })

      it('is listed without its token until it is used or deleted', async () => {
        const { call, admin } = api()
        const { token } = admin
        const [one, other] = [await invite(), await invite()]
        const list = async () => {
          const { list, text } = await call('GET', '/invitations?limit=100', { token })
          expect(text).not.toContain(one.invitation)
          return list.map(({ id }) => id)
        }
        expect(await list()).toEqual(expect.arrayContaining([one.id, other.id]))
        await register(api(), { ...createAccount(), invitation: one.invitation })
        expect((await call('DELETE', `/invitations/${other.id}`, { token })).status).toBe(204)
        expect((await list()).filter((id) => id === one.id || id === other.id)).toEqual([])
        expect(await register(api(), { ...createAccount(), invitation: other.invitation })).toMatchObject(
          invalid,
        )
        expect((await call('DELETE', `/invitations/${other.id}`, { token })).status).toBe(404)
      })

      it('ends with the rights of its creator', async () => {
        const { call, logIn, admin } = api()
        const { token } = admin
        const account = createAccount()
        const { data } = await register(api(), account, token)
        await call('PATCH', `/users/${data.id}`, { token, json: { role: 'admin' } })
        const { invitation } = await invite({}, (await logIn(account)).token)
        await call('PATCH', `/users/${data.id}`, { token, json: { role: 'user' } })
        expect(await register(api(), { ...createAccount(), invitation })).toMatchObject(invalid)
      })

      it('is created by admins only', async () => {
        const account = createAccount()
        await register(api(), account, api().admin.token)
        const { token } = await api().logIn(account)
        for (const [method, path] of [
          ['POST', '/invitations'],
          ['GET', '/invitations'],
        ] as const)
          expect((await api().call(method, path, { token })).error.code).toBe('FORBIDDEN')
      })
    })

    it('refuses a registration without an invitation', async () => {
      expect(await register(api(), createAccount())).toMatchObject(invalid)
      const guess = { ...createAccount(api().admin.email), invitation: `inv_${'A'.repeat(43)}` }
      // Not even whether an address is taken.
      expect(await register(api(), guess)).toMatchObject(invalid)
      expect((await register(api(), createAccount(), api().admin.token)).status).toBe(201)
    })

    it('refuses an expired invitation, of which the database has a hash', async () => {
      const { id, invitation } = await invite({ valid_days: 1 })
      const { database } = api()
      const find = database.selectFrom('invitations').selectAll().where('id', '=', id)
      const row = await find.executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(invitation.slice('inv_'.length))
      expect(Date.parse(row.expires_at) - Date.parse(row.created_at)).toBeCloseTo(24 * 60 * 60 * 1000, -3)
      const expires_at = new Date().toISOString()
      await database.updateTable('invitations').set({ expires_at }).where('id', '=', id).execute()
      expect(await register(api(), { ...createAccount(), invitation })).toMatchObject(invalid)
    })
  },
  { registration: 'invite' },
)
