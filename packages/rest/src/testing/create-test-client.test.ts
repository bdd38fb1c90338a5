import { expect, it } from 'vitest'
import { z } from 'zod'
import { createApi } from '../api/api.ts'
import { createRouteGroup } from '../route-group.ts'
import { createTestClient } from './index.ts'

const route = createRouteGroup<{ id: string }>()
const api = createApi({
  authenticate: ({ header }) => ({ id: header('authorization') ?? '' }),
  routes: [
    route.get('/users/{id}', { operationId: 'getUser', data: z.string() }, ({ params }, { caller }) => {
      return `${params.id} for ${caller.id}`
    }),
  ],
})

it('calls the API in process, typed by its routes', async () => {
  const client = createTestClient(api, { authorization: () => 'Bearer ada' })
  const result = await client.get('/users/{id}', { params: { id: '7' } })
  const data: string | undefined = result.ok ? result.data : undefined
  expect(data).toBe('7 for Bearer ada')
  // @ts-expect-error no route has this path
  expect(await client.get('/nothing')).toMatchObject({ ok: false, status: 404 })
})
