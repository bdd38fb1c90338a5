import { describe, expect, it } from 'vitest'
import type { RequestContext } from '@sallyport/sql/accounts'
import { checkReadiness, type Dependency } from '../src/service/readiness.ts'
import { serviceRoutes } from '../src/service/routes.ts'
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

function askReady(
  dependencies: readonly Dependency[],
  { role, isStopping = false }: { role?: string | undefined; isStopping?: boolean } = {},
) {
  const routes = serviceRoutes({
    providers: [],
    dependencies,
    notices: () => [],
    stopping: isStopping ? AbortSignal.abort() : new AbortController().signal,
    hasDocuments: false,
  })
  const ready = routes.find(({ route }) => route.path === '/ready')!
  const context = { identify: async () => role && { role } } as unknown as RequestContext
  return ready.handler(
    { params: {}, query: undefined, headers: undefined, cookies: undefined, body: undefined },
    context,
  )
}

describe('/ready of a server that is being stopped', () => {
  it('is 503 although all dependencies answer', async () => {
    const dependencies = [{ name: 'inbox', ping: () => Promise.resolve() }]
    await expect(askReady(dependencies)).resolves.toMatchObject({ status: 200 })
    await expect(askReady(dependencies, { isStopping: true })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})

describe('/ready of a server without its database', () => {
  const dependencies = [
    { name: 'inbox', ping: () => Promise.resolve() },
    { name: 'database', ping: () => Promise.reject(new Error('away')) },
  ]
  const ask = (role?: string) => askReady(dependencies, { role })

  it.each([undefined, 'user'])('is 503 without details for %s', async (role) => {
    await expect(ask(role)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '5' },
    })
    await expect(ask(role)).rejects.not.toHaveProperty('details', expect.anything())
  })

  it('shows admins the unavailable dependency', async () => {
    const details = [
      { field: 'inbox', message: 'ok' },
      { field: 'database', message: 'unavailable' },
    ]
    await expect(ask('admin')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details })
  })
})

describe('checkReadiness', () => {
  it('names the dependencies that do not answer', async () => {
    const dependencies = [
      { name: 'inbox', ping: () => Promise.resolve() },
      { name: 'database', ping: () => Promise.reject(new Error('away')) },
    ]
    expect(await checkReadiness(dependencies)).toEqual({
      ready: false,
      dependencies: { inbox: 'ok', database: 'unavailable' },
    })
  })
})
