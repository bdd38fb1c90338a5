import { describe, expect, it } from 'vitest'
import { describeAccountApi, type TestUser } from '../../test/account-api.ts'

const replacement = 'a difference engine'

describe.each([false, true])('with requiresCurrentPassword: %s', (requiresCurrentPassword) => {
  describeAccountApi(
    (api) => {
      const patch = ({ id }: Pick<TestUser, 'id'>, { token }: Pick<TestUser, 'token'>, json: object) =>
        api().call('PATCH', `/users/${id}`, { token, json })

      it('accepts a change of the password with the current password', async () => {
        const user = await api().user()
        const change = { password: replacement, current_password: user.password }
        expect((await patch(user, user, change)).status).toBe(200)
        expect((await api().logIn({ email: user.email, password: replacement })).id).toBe(user.id)
      })

      it('refuses a wrong current password', async () => {
        const user = await api().user()
        const change = { email: `new-${user.email}`, current_password: replacement }
        const { status, error } = await patch(user, user, change)
        expect([status, error.code]).toEqual([403, 'FORBIDDEN'])
        expect(error.details).toEqual([
          { code: 'INVALID', field: 'current_password', in: 'body', message: 'Is wrong' },
        ])
      })

      it('limits the guesses of the current password like logins', async () => {
        const user = await api().user()
        for (let guess = 0; guess < 10; guess++) await patch(user, user, { current_password: replacement })
        const { status } = await patch(user, user, { current_password: user.password })
        expect(status).toBe(429)
      })

      it('compares the current password of an admin with the password of the admin', async () => {
        const user = await api().user()
        const change = { password: replacement, current_password: user.password }
        expect((await patch(user, api().admin, change)).status).toBe(403)
        expect(
          (await patch(user, api().admin, { ...change, current_password: api().admin.password })).status,
        ).toBe(200)
      })

      it('needs no current password for other changes', async () => {
        const user = await api().user()
        expect((await patch(user, user, { name: 'Augusta' })).status).toBe(200)
        const json = { email: user.email, name: 'Ada' }
        const { status } = await api().call('PUT', `/users/${user.id}`, { token: user.token, json })
        expect(status).toBe(200)
      })

      it.each([{ password: replacement }, { email: 'another@example.com' }])(
        'answers a change of %o without the current password',
        async (change) => {
          const user = await api().user()
          const { status, error } = await patch(user, user, change)
          if (!requiresCurrentPassword) {
            expect(status).toBe(200)
            return
          }
          const message = 'Required to change a password or an e-mail address'
          expect(status).toBe(400)
          expect(error.details).toEqual([
            { code: 'REQUIRED', field: 'current_password', in: 'body', message },
          ])
        },
      )
    },
    { requiresCurrentPassword },
  )
})
