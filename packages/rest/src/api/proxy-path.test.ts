import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineListQuery } from '../define-list-query.ts'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import { createDocuments } from '../openapi/documents.ts'
import { createRouteGroup } from '../route-group.ts'
import { createApi } from './api.ts'

const data = z.object({ id: z.string() })
const route = createRouteGroup({ access: 'public' })
const createTestApi = (proxyPath: string) =>
  createApi({
    proxyPath,
    secrets: ['a secret of at least thirty-two bytes'],
    documents: createDocuments({ title: 'Notes', version: '1.0.0' }),
    routes: [
      route.post('/notes', { operationId: 'createNote', data }, () => ({ id: '1' })),
      route.list(
        '/notes',
        { operationId: 'listNotes', query: defineListQuery({ sortable: ['id'] }), item: data },
        () => [{ id: '1' }],
      ),
    ],
  })

it('begins the addresses of responses with the path that a proxy removes', async () => {
  const handle = createFetchHandler(createTestApi('/shop'), { mount: '/api' })
  const created = await handle(new Request('http://localhost/api/notes', { method: 'POST' }))
  expect(created.headers.get('location')).toBe('/shop/api/notes/1')
  const list = await handle(new Request('http://localhost/api/notes'))
  expect(list.headers.get('link')).toMatch(/^<\/shop\/api\/notes\?/)
  const document = await handle(new Request('http://localhost/api/openapi.json'))
  expect(await document.json()).toMatchObject({ servers: [{ url: '/shop/api' }] })
})

it('keeps the servers that the documents name', async () => {
  const servers = [{ url: 'https://api.example.com/v1' }]
  const documents = createDocuments({ title: 'Notes', version: '1.0.0', servers })
  const handle = createFetchHandler(createApi({ proxyPath: '/shop', documents, routes: [] }))
  const document = await handle(new Request('http://localhost/openapi.json'))
  expect(await document.json()).toMatchObject({ servers })
})

it.each(['shop', '/shop/', 'https://example.com', '/shop?a'])('refuses the path %s', (proxyPath) => {
  expect(() => createTestApi(proxyPath)).toThrow(TypeError)
})
