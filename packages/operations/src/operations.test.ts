import { createApi, type ApiRequest } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createMemoryInbox, type OperatorInbox } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { authorize, createTestOperations, secrets } from '../test/operations.ts'
import { createOperations } from './operations.ts'
import { createOperationsRoutes } from './routes.ts'

async function readPaths(api: ReturnType<typeof createOperations>): Promise<readonly string[]> {
  const response = await createFetchHandler(api)(new Request('http://localhost/openapi.json'))
  const { paths } = (await response.json()) as { readonly paths: object }
  return Object.keys(paths).sort()
}

it('documents all routes', async () => {
  expect(await readPaths(createTestOperations(createMemoryInbox()))).toEqual([
    '/cancellations',
    '/deliveries',
    '/deliveries/stream',
    '/deliveries/{id}',
    '/deliveries/{id}/body',
    '/deliveries/{id}/data',
    '/deliveries/{id}/replays',
    '/deliveries/{id}/retries',
    '/events',
    '/events/stream',
    '/failures',
    '/operator',
    '/replays',
    '/retries',
    '/searches',
    '/statistics/deliveries',
    '/status',
  ])
})

it('omits the routes that an inbox does not support from the API and its document', async () => {
  const whole = createMemoryInbox()
  const inbox: Pick<OperatorInbox, 'list' | 'countDeliveries'> = {
    list: (query) => whole.list(query),
    countDeliveries: (filter) => whole.countDeliveries(filter),
  }
  const api = createOperations({ operations: { inbox } }, { authorize })
  expect(await readPaths(api)).toEqual(['/deliveries', '/operator'])
  const response = await createFetchHandler(api)(new Request('http://localhost/events'))
  expect(response.status).toBe(404)
})

it('calls the methods of the inbox as methods', async () => {
  class Inbox {
    readonly deliveries = createMemoryInbox()
    get(id: string) {
      return this.deliveries.get(id)
    }
  }
  const api = createOperations({ operations: { inbox: new Inbox() } }, { authorize })
  const headers = { authorization: 'Bearer read' }
  const url = 'http://localhost/deliveries/01890a5d-ac96-774b-bcce-b302099a8057'
  expect((await createFetchHandler(api)(new Request(url, { headers }))).status).toBe(404)
})

it('counts the deliveries of a searching filter up to 100,000, and those of a provider without a limit', async () => {
  const limits: (number | undefined)[] = []
  const inbox: Pick<OperatorInbox, 'list' | 'countDeliveries'> = {
    list: () => Promise.resolve([]),
    countDeliveries: (_filter, { countUpTo } = {}) => {
      limits.push(countUpTo)
      return Promise.resolve(countUpTo ?? 2_000_000)
    },
  }
  const fetch = createFetchHandler(createOperations({ operations: { inbox } }, { authorize }))
  const totals: unknown[] = []
  for (const query of ['provider=github&status=dead', 'text=octo-org/']) {
    const url = `http://localhost/deliveries?${query}`
    const response = await fetch(new Request(url, { headers: { authorization: 'Bearer read' } }))
    totals.push(((await response.json()) as { readonly meta: { readonly total: number } }).meta.total)
  }
  expect(limits).toEqual([undefined, 100_000])
  expect(totals).toEqual([2_000_000, 100_000])
})

it('names the missing permission', async () => {
  const api = createTestOperations(createMemoryInbox())
  const request = new Request('http://localhost/replays', {
    method: 'POST',
    headers: { authorization: 'Bearer read' },
  })
  const response = await createFetchHandler(api)(request)
  expect(await response.json()).toMatchObject({
    error: { code: 'FORBIDDEN', message: 'This needs the permission replay' },
  })
})

it('creates routes for an API of the application with its own access', async () => {
  const inbox = createMemoryInbox()
  const api = createApi({
    routes: createOperationsRoutes({ operations: { inbox } }, { getAccess: () => ({ roles: ['admin'] }) }),
    secrets,
    authenticate: ({ header }: ApiRequest) => ({ id: '1', role: header('x-role') }),
  })
  const statuses = []
  for (const role of ['admin', 'user']) {
    const request = new Request('http://localhost/deliveries', { headers: { 'x-role': role } })
    statuses.push((await createFetchHandler(api)(request)).status)
  }
  expect(statuses).toEqual([200, 403])
})
