import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import { createRouteGroup } from '../route-group.ts'
import { schemaFilter } from '../schema-filter.ts'
import { createApi } from './api.ts'

const route = createRouteGroup({ access: 'public' })
const path = '/users/{id}'
const base = { operationId: 'createUser', data: z.string(), status: 200 }
const end = () => 'ada'

/** Sends a request to a route with a check in one of its parts. */
async function send(part: string, check: (text: string) => Promise<boolean>) {
  const checked = z.string().refine(check, 'taken')
  const object = z.object({ name: checked })
  const transformed = z.object({ name: z.string().transform(check) })
  const bindings = {
    body: route.post(path, { ...base, body: object }, end),
    transform: route.post(path, { ...base, body: transformed }, end),
    query: route.post(path, { ...base, query: object }, end),
    params: route.post(path, { ...base, params: z.object({ id: checked }) }, end),
    headers: route.post(path, { ...base, headers: { 'X-Name': checked } }, end),
    cookies: route.post(path, { ...base, cookies: { name: checked } }, end),
    response: route.post(path, { ...base, data: checked }, end),
  }
  const binding = bindings[part as keyof typeof bindings]
  const handle = createFetchHandler(createApi({ routes: [binding], responseSchemas: 'check' }))
  const headers = { 'content-type': 'application/json', 'x-name': 'ada', cookie: 'name=ada' }
  const address = 'http://localhost/users/ada?name=ada'
  return await handle(new Request(address, { method: 'POST', headers, body: '{"name":"ada"}' }))
}

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  await setImmediate()
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe.each(['body', 'transform', 'query', 'params', 'headers', 'cookies', 'response'])(
  'an asynchronous check of the part %s',
  (part) => {
    // Regression: the check ran twice, and the unhandled rejection of its first run ended the process.
    it('that rejects is a 500', async () => {
      expect((await send(part, () => Promise.reject(new Error('The database is down')))).status).toBe(500)
    })

    it('runs once', async () => {
      let runs = 0
      const response = await send(part, () => {
        runs += 1
        return Promise.resolve(true)
      })
      expect([response.status, runs]).toEqual([200, 1])
    })
  },
)

it.each([
  ['zod', z.string().refine(() => Promise.reject(new Error('The database is down')))],
  [
    'another library',
    { '~standard': { version: 1, vendor: 'x', validate: () => Promise.reject(new Error('Down')) } } as const,
  ],
])('refuses an asynchronous filter of %s', (_, schema) => {
  const filter = schemaFilter(schema)
  expect(() => filter.read('a')).toThrow('A filter has to validate synchronously')
})
