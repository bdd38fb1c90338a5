import { createApi } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { openAccounts } from '@sallyport/sql/accounts'
import { describe, expect, it } from 'vitest'
import { base, describeAccountApi, type TestUser } from '../../test/account-api.ts'

describeAccountApi((api) => {
  /** Opens the API in another process, which has checked the token of a user a moment ago. */
  async function openOther({ token }: TestUser) {
    const secrets = ['s'.repeat(32)]
    const accounts = openAccounts({ db: api().database, secrets, issuer: 'test', audience: 'test' })
    const handle = createFetchHandler(createApi({ ...accounts.api, secrets, routes: accounts.routes }), {
      mount: '/api/v1',
    })
    const send = async (method: string, path: string, json?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = json && { body: JSON.stringify(json) }
      return (await handle(new Request(`${base}/api/v1${path}`, { method, headers, ...body }))).status
    }
    expect(await send('GET', '/users')).toBe(200)
    return send
  }

  const change = async (user: TestUser, json: object) => {
    const { status } = await api().call('PATCH', `/users/${user.id}`, { token: api().admin.token, json })
    expect(status).toBe(200)
  }

  async function newAdmin(): Promise<TestUser> {
    const user = await api().user()
    await change(user, { role: 'admin' })
    return api().logIn(user)
  }

  const read = async ({ id }: TestUser) => (await api().accounts.users.get({ id })).role

  describe('a process that has not learned of an ended session yet', () => {
    it.each([{ role: 'user' }, { status: 'suspended' }])('changes no users for it: %j', async (json) => {
      const [admin, accomplice] = [await newAdmin(), await api().user()]
      const send = await openOther(admin)
      await change(admin, json)
      const before = await api().accounts.users.get({ id: admin.id })
      expect(await send('PATCH', `/users/${admin.id}`, { role: 'admin', status: 'active' })).toBe(401)
      expect(await send('PATCH', `/users/${accomplice.id}`, { role: 'admin' })).toBe(401)
      expect(await send('DELETE', `/users/${accomplice.id}`)).toBe(401)
      expect(await api().accounts.users.get({ id: admin.id })).toEqual(before)
      expect(await read(accomplice)).toBe('user')
    })

    it('changes no password for a user who logged out everywhere', async () => {
      const user = await api().user()
      const send = await openOther(user)
      await api().call('DELETE', `/users/${user.id}/sessions`, { token: user.token })
      expect(await send('PATCH', `/users/${user.id}`, { password: 'the password of a thief' })).toBe(401)
      expect((await api().logIn(user)).id).toBe(user.id)
    })
  })
})
