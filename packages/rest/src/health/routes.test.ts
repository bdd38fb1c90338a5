import { expect, it } from 'vitest'
import { createApi } from '../api/api.ts'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import { createHealthRoutes } from './index.ts'
import type { HealthOptions } from './routes.ts'

const works = { name: 'inbox', ping: () => Promise.resolve() }
const away = { name: 'database', ping: () => Promise.reject(new Error('away')) }

const isOperator = ({ role }: { readonly role: string }) => role === 'admin'

async function get(path: string, options: Partial<HealthOptions<{ readonly role: string }>>, role?: string) {
  const api = createApi({
    authenticate: ({ header }) => Promise.resolve({ role: header('x-role') ?? '' }),
    routes: createHealthRoutes<{ readonly role: string }>({
      dependencies: [works],
      ...options,
    }),
  })
  const headers = role === undefined ? {} : { 'x-role': role }
  const response = await createFetchHandler(api)(new Request(`http://localhost${path}`, { headers }))
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  }
}

it('is alive without its dependencies, also while it stops', async () => {
  const stopping = AbortSignal.abort()
  expect(await get('/health', { dependencies: [away], stopping })).toMatchObject({ status: 200 })
})

it('is ready while all dependencies answer, with details for operators', async () => {
  const notices = () => ['Set a secret']
  expect(await get('/ready', { notices })).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect((await get('/ready', { isOperator, notices }, 'user')).body).toEqual({ status: 'ok' })
  expect((await get('/ready', { isOperator, notices }, 'admin')).body).toEqual({
    status: 'ok',
    dependencies: { inbox: 'ok' },
    notices: ['Set a secret'],
  })
})

it('shows nobody the details by default', async () => {
  expect((await get('/ready', {}, 'admin')).body).toEqual({ status: 'ok' })
})

it.each([undefined, 'user'])('is 503 without a dependency, and without details for %s', async (role) => {
  const { status, retryAfter, body } = await get('/ready', { isOperator, dependencies: [works, away] }, role)
  expect([status, retryAfter]).toEqual([503, '5'])
  expect(body).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
  expect(JSON.stringify(body)).not.toContain('database')
})

it('shows operators the unavailable dependency', async () => {
  const { body } = await get(
    '/ready',
    { isOperator, dependencies: [works, away], notices: () => ['No disk'] },
    'admin',
  )
  const details = [
    { field: 'inbox', message: 'ok' },
    { field: 'database', message: 'unavailable' },
    { field: 'notices', message: 'No disk' },
  ]
  expect(body).toMatchObject({ error: { details } })
})

it('is ready without an optional dependency, but not with one whose last operation failed', async () => {
  expect((await get('/ready', { dependencies: [{ ...away, isOptional: true }] })).status).toBe(200)
  expect(
    (await get('/ready', { dependencies: [{ ...works, getFailure: () => 'SQLITE_FULL' }] })).status,
  ).toBe(503)
})

it('is 503 while the server stops', async () => {
  const { status, retryAfter } = await get('/ready', { stopping: AbortSignal.abort() }, 'admin')
  expect([status, retryAfter]).toEqual([503, '5'])
})
