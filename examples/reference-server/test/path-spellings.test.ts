import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi, type TestUser } from './api.ts'

let api: TestApi
let user: TestUser
let project: string
beforeAll(async () => {
  api = await startApi()
  user = await api.user()
  project = (await api.call('POST', '/projects', { token: user.token, json: { name: 'P' } })).data.id
  for (const title of ['a', 'b', 'c']) {
    await api.call('POST', `/projects/${project}/tasks`, { token: user.token, json: { title } })
  }
})
afterAll(() => api[Symbol.asyncDispose]())

/** Not by the documented path, which one of these is not. */
async function send(method: string, path: string, json?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const { status } = response
  const body = (await response.json()) as { data: { id: string }; meta?: { nextCursor: string } }
  return { status, headers: response.headers, ...body }
}

/** The same list of tasks, under the prefix that is asked for. */
const spellings = (prefix: string) => [
  `${prefix}/projects/${project}/tasks`,
  `${prefix}/projects/${project.toUpperCase()}/tasks`,
  `${prefix}/%70rojects/${project}/tasks`,
  `${prefix}/projects/${project.replace('-', '%2D')}/t%61sks`,
]

describe('for every spelling of a path', () => {
  // The same key and body once created a task for each spelling.
  it('an Idempotency-Key is the same', async () => {
    const ids = new Set<string>()
    for (const path of [...spellings('/api/v1'), ...spellings('/v1')]) {
      const { status, data } = await send('POST', path, { title: 'T' }, { 'idempotency-key': 'one' })
      expect(status).toBe(201)
      ids.add(data.id)
    }
    expect(ids.size).toBe(1)
  })

  // It was once the spelling of the request, and under the alias another than that of a response that was kept.
  it.each(['/api/v1', '/v1'])('the Location is the same, also under %s', async (prefix) => {
    for (const path of spellings(prefix)) {
      const { status, data, headers } = await send('POST', path, { title: 'T' })
      expect([status, headers.get('location')]).toEqual([201, `/api/v1/projects/${project}/tasks/${data.id}`])
    }
    const { session, refreshToken } = await api.logIn(user)
    const path = `${prefix}/sessions/${session.toUpperCase()}/%74okens`
    const refreshed = await send('POST', path, { refresh_token: refreshToken })
    expect([refreshed.status, refreshed.headers.get('location')]).toEqual([
      201,
      `/api/v1/sessions/${session}`,
    ])
  })

  // A cursor of one spelling was once refused by another.
  it('the links and cursors of a list are the same', async () => {
    const pages = spellings('/api/v1')
    const { meta } = await send('GET', `${pages[0]!}?limit=1&sort=title&cursor=`)
    for (const path of pages) {
      const next = await send('GET', `${path}?limit=1&sort=title&cursor=${meta!.nextCursor}`)
      expect(next.status).toBe(200)
      expect(next.headers.get('link')).toContain(`</api/v1/projects/${project}/tasks?limit=1&`)
    }
  })
})
