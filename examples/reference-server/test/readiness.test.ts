import { describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'

describe('/ready', () => {
  it('is 200 while all dependencies answer, with details for admins', async () => {
    await using api = await startApi()
    const user = await api.user()
    const read = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(`${api.base}/ready`, { headers })
      return [response.status, await response.json()]
    }
    for (const token of [undefined, 'no token', user.token])
      expect(await read(token)).toEqual([200, { status: 'ok' }])
    const told = { status: 'ok', dependencies: { inbox: 'ok' } }
    expect(await readiness(api.base, api.admin.token)).toEqual({ ...told, notices: [] })

    // A tunnel's agent on this machine: every client would share its address, unnoticed.
    await fetch(`${api.base}/webhooks/codehost`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    const notices = [expect.stringContaining('TRUST_PROXY')]
    expect(await readiness(api.base, api.admin.token)).toEqual({ ...told, notices })
  })
})
