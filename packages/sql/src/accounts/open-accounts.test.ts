import { createApi } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { expect, it } from 'vitest'
import { describeAccounts } from '../../test/account-tables.ts'
import { openAccounts } from './open-accounts.ts'

const secret = 's'.repeat(32)

describeAccounts((database) => {
  it('registers a user, logs in and shows the session, with its own rate limits', async () => {
    const events: string[] = []
    const accounts = openAccounts({
      ...{ db: database(), secrets: [secret], issuer: 'test', audience: 'test' },
      onEvent: (event) => events.push(event.event),
    })
    const handle = createFetchHandler(
      createApi({ ...accounts.api, secrets: [secret], routes: accounts.routes }),
      { mount: '/api' },
    )
    const send = (path: string, json?: object, token = '') =>
      handle(
        new Request(`https://notes.example/api${path}`, {
          method: json ? 'POST' : 'GET',
          headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
          ...(json && { body: JSON.stringify(json) }),
        }),
      )
    const login = { email: 'ada@example.com', password: 'an analytical engine' }

    const registered = await send('/users', { ...login, name: 'Ada' })
    expect([registered.status, registered.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(/^\/api\/users\//),
    ])
    const { data } = (await (await send('/sessions', login)).json()) as { data: { access_token: string } }
    expect(await (await send('/sessions', undefined, data.access_token)).json()).toMatchObject({
      meta: { total: 1 },
    })
    expect((await send('/sessions')).status).toBe(401)
    expect((await send('/sessions', { ...login, password: 'a difference engine' })).status).toBe(401)
    expect(events).toEqual(['user.created', 'login.succeeded', 'access.denied', 'login.failed'])
  })
})
