import { createMemoryAuditLog } from '@sallyport/test-support/webhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { describeAccountApi, unknownId, type TestUser } from '../../test/account-api.ts'
import type { SecurityEvent } from './events.ts'

const events: SecurityEvent[] = []
const audit = createMemoryAuditLog()
const readAudit = async (target: string) =>
  (await audit.list({ limit: 20, target, order: 'oldest' })).map(({ actor, action, detail }) => ({
    ...{ actor, action, detail },
  }))

let invited = 0

describeAccountApi(
  (api) => {
    beforeEach(() => {
      events.length = 0
    })

    const asAdmin = (method: string, path: string, json?: object) =>
      api().call(method, path, { token: api().admin.token, json })

    async function invite(role: string): Promise<TestUser> {
      const { data } = await asAdmin('POST', '/invitations', { role })
      const account = {
        email: `invited${++invited}@example.com`,
        name: 'Ada',
        password: 'an analytical engine',
      }
      const json = { ...account, invitation: data['token'] }
      const registered = await api().call('POST', '/users', { json })
      expect(registered).toMatchObject({ status: 201, data: { role } })
      return api().logIn(account)
    }

    const actor = () => ({ id: api().admin.id, name: api().admin.email })

    describe('an operator', () => {
      it.each(['viewer', 'support', 'operator', 'admin'])(
        'registers with an invitation as %s',
        async (role) => {
          const { id, email } = await invite(role)
          expect(await readAudit(id)).toEqual([
            { actor: { id, name: email }, action: 'user.create', detail: { role } },
          ])
          expect(events).toContainEqual(
            expect.objectContaining({ event: 'user.created', userId: id, targetId: id, role, status: 201 }),
          )
        },
      )

      it('gets another role from an admin, which ends the sessions', async () => {
        const { id, token } = await invite('viewer')
        expect((await asAdmin('PATCH', `/users/${id}`, { role: 'support' })).data).toMatchObject({
          role: 'support',
        })
        expect((await api().call('GET', '/users', { token })).status).toBe(401)
        const detail = { changed: ['role'], role: 'support' }
        expect((await readAudit(id)).at(-1)).toEqual({ actor: actor(), action: 'user.update', detail })
        expect(events).toContainEqual(
          expect.objectContaining({ event: 'user.changed', targetId: id, ...detail }),
        )
      })

      it('is limited to endpoints by an admin only', async () => {
        const { id, token } = await invite('support')
        const limit = { endpoints: 'region=eu,plan=gold;region=us' }
        expect((await asAdmin('PATCH', `/users/${id}`, limit)).data).toMatchObject(limit)
        expect((await readAudit(id)).at(-1)?.detail).toEqual({ changed: ['endpoints'] })
        expect((await api().call('PATCH', `/users/${id}`, { token, json: { endpoints: null } })).status).toBe(
          403,
        )
        expect((await asAdmin('PATCH', `/users/${id}`, { endpoints: 'region' })).status).toBe(400)
        // An admin could remove the limit.
        const promoted = await asAdmin('PATCH', `/users/${id}`, { role: 'admin' })
        expect(promoted.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'endpoints' }] })
        const both = { role: 'admin', endpoints: null }
        expect((await asAdmin('PATCH', `/users/${id}`, both)).data).toMatchObject(both)
        expect((await asAdmin('PATCH', `/users/${id}`, limit)).status).toBe(400)
      })

      it('manages no users', async () => {
        const [{ token, id }, other] = [await invite('operator'), await invite('viewer')]
        for (const [method, path, json] of [
          ['PATCH', `/users/${id}`, { role: 'admin' }],
          ['PATCH', `/users/${other.id}`, { status: 'suspended' }],
          ['DELETE', `/users/${other.id}`, undefined],
          ['DELETE', `/users/${other.id}/sessions`, undefined],
          ['DELETE', '/sessions/all', undefined],
          ['GET', '/invitations', undefined],
          ['POST', '/invitations', { role: 'admin' }],
        ] as const) {
          const { status, error } = await api().call(method, path, { token, json })
          expect([status, error.code], `${method} ${path}`).toEqual([403, 'FORBIDDEN'])
        }
        expect((await api().call('GET', '/users', { token: other.token })).status).toBe(200)
      })
    })

    it('rejects an invitation with an unknown role', async () => {
      for (const role of ['root', 'read', 'toString'])
        expect((await asAdmin('POST', '/invitations', { role })).error.code).toBe('VALIDATION_ERROR')
    })

    it('records invitations and deletions of users in the audit', async () => {
      const { data } = await asAdmin('POST', '/invitations', { role: 'support' })
      await asAdmin('DELETE', `/invitations/${data.id}`)
      expect(await readAudit(data.id)).toEqual([
        { actor: actor(), action: 'invitation.create', detail: { role: 'support' } },
        { actor: actor(), action: 'invitation.delete', detail: {} },
      ])
      const { id } = await api().user()
      expect((await asAdmin('DELETE', `/users/${id}`)).status).toBe(204)
      expect((await readAudit(id)).map(({ action }) => action)).toEqual(['user.create', 'user.delete'])
      expect(events).toContainEqual(expect.objectContaining({ event: 'user.deleted', targetId: id }))
    })

    it('records nothing that a user without a permission does', async () => {
      const user = await api().user()
      const before = await readAudit(user.id)
      const json = { password: 'a difference engine' }
      await api().call('PATCH', `/users/${user.id}`, { token: user.token, json })
      expect(events).toContainEqual(expect.objectContaining({ event: 'user.changed', targetId: user.id }))
      expect(await readAudit(user.id)).toEqual(before)
    })

    describe('a logout', () => {
      it('ends all sessions of a user, by the user or an admin', async () => {
        const user = await invite('viewer')
        for (const token of [user.token, api().admin.token]) {
          const [one, two] = [await api().logIn(user), await api().logIn(user)]
          const caller = token === user.token ? two.token : token
          expect((await api().call('DELETE', `/users/${user.id}/sessions`, { token: caller })).status).toBe(
            204,
          )
          for (const session of [one, two]) {
            expect((await api().call('GET', '/users', { token: session.token })).status).toBe(401)
            const json = { refresh_token: session.refreshToken }
            expect((await api().call('POST', `/sessions/${session.session}/tokens`, { json })).status).toBe(
              401,
            )
          }
        }
        const [own, other] = (await readAudit(user.id)).slice(-2)
        expect(own).toEqual({
          ...{ actor: { id: user.id, name: user.email }, action: 'user.log_out', detail: {} },
        })
        expect(other).toMatchObject({ actor: actor(), action: 'user.log_out' })
        expect(events.filter(({ event }) => event === 'user.logged_out')).toHaveLength(2)
        expect((await asAdmin('DELETE', `/users/${unknownId}/sessions`)).status).toBe(404)
      })

      it('ends the sessions of all users, but not their keys', async () => {
        const { admin, call, user, logIn, accounts } = api()
        const other = await user()
        const key = await accounts.apiKeys.create({ name: 'CI', scopes: ['notes:read'], ownerId: admin.id })
        const { token } = await logIn(admin)
        expect((await call('DELETE', '/sessions/all', { token })).status).toBe(204)
        for (const ended of [token, other.token, admin.token])
          expect((await call('GET', '/users', { token: ended })).status).toBe(401)
        expect(await accounts.apiKeys.verify(key.text)).toMatchObject({ owner: { id: admin.id } })
        const [entry] = await audit.list({ limit: 1, action: 'users.log_out' })
        expect(entry).toMatchObject({ actor: actor() })
        expect(events).toContainEqual(
          expect.objectContaining({ event: 'users.logged_out', userId: admin.id, status: 204 }),
        )
      })
    })
  },
  { audit, onEvent: (event) => events.push(event) },
)
