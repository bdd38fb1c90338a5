import { describe, expect, it } from 'vitest'
import { describeAccountApi, type AccountApi, type Answer, type TestUser } from '../../test/account-api.ts'

const fifty = (send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => send(index)))

/** How many answers there are of each status, and of each code where they are refusals. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const kinds = answers.map(({ status, error }) =>
    status < 400 ? String(status) : `${status} ${error.code}`,
  )
  return Object.fromEntries(
    [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length]),
  )
}

describeAccountApi((api) => {
  describe('concurrent requests', () => {
    it('register one e-mail address once', async () => {
      const email = (index: number) => (index % 2 === 0 ? 'race@example.com' : 'Race@Example.com')
      const answers = await fifty((index) =>
        api().call('POST', '/users', {
          json: { email: email(index), name: `Racer ${index}`, password: `password ${index}` },
        }),
      )
      // A new password waits five seconds at most, and a busy machine takes longer for fifty.
      const { '503 OVERLOADED': overloaded = 0, '409 EMAIL_TAKEN': taken = 0, ...others } = tally(answers)
      expect(others).toEqual({ '201': 1 })
      expect(taken + overloaded).toBe(49)
      const winner = answers.findIndex(({ status }) => status === 201)
      const { id } = await api().logIn({ email: 'race@example.com', password: `password ${winner}` })
      expect(id).toBe(answers[winner]!.data.id)
    })

    it('use one refresh token, and the session continues with one token', async () => {
      const { session, refreshToken } = await api().user()
      const refresh = (token: unknown) =>
        api().call('POST', `/sessions/${session}/tokens`, { json: { refresh_token: token } })
      const answers = await fifty(() => refresh(refreshToken))
      const { '201': given = 0, '401 INVALID_TOKEN': refused = 0 } = tally(answers)
      expect(given).toBeGreaterThan(0)
      expect(given + refused).toBe(50)
      const successors = new Set(
        answers.flatMap(({ status, data }) => (status === 201 ? [data['refresh_token']] : [])),
      )
      const [successor, ...others] = successors
      expect(others).toEqual([])
      expect(successor).not.toBe(refreshToken)
      // On a machine so slow that one comes after the grace, that one ends the session, and leaves no token alive.
      expect((await refresh(successor)).status).toBe(refused === 0 ? 201 : 401)
    })
  })

  describe('a token is rejected immediately', () => {
    const change = (json: object) => (api: AccountApi, user: TestUser) =>
      api.call('PATCH', `/users/${user.id}`, { json, token: api.admin.token })

    it.each([
      ['when its admin is no longer one', change({ role: 'user' })],
      ['when its user is suspended', change({ status: 'suspended' })],
      ['when its user gets another password', change({ password: 'another password' })],
      [
        'when its user is deleted',
        (api: AccountApi, user: TestUser) =>
          api.call('DELETE', `/users/${user.id}`, { token: api.admin.token }),
      ],
      [
        'when its session is ended',
        (api: AccountApi, user: TestUser) =>
          api.call('DELETE', `/sessions/${user.session}`, { token: user.token }),
      ],
    ])('%s', async (_, act) => {
      const created = await api().user()
      await change({ role: 'admin' })(api(), created)
      const user = await api().logIn(created)
      const notes = () => api().call('GET', '/notes', { token: user.token })
      expect((await notes()).status).toBe(200)

      expect((await act(api(), user)).status).toBeLessThan(300)
      expect(tally(await fifty(notes))).toEqual({ '401 INVALID_TOKEN': 50 })
      const refreshed = await api().call('POST', `/sessions/${user.session}/tokens`, {
        json: { refresh_token: user.refreshToken },
      })
      expect(tally([refreshed])).toEqual({ '401 INVALID_TOKEN': 1 })
    })
  })
})
