import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createApi } from '../api/api.ts'
import { createFetchHandler } from '../fetch/fetch-handler.ts'
import { createDocumentPages, type DocumentPagesOptions } from './routes.ts'

function open(options: Partial<DocumentPagesOptions>) {
  const reported: unknown[] = []
  const pages = createDocumentPages({
    title: 'Birds & bees',
    documents: { '/openapi.json': () => ({ openapi: '3.0.3' }) },
    pages: ['swagger-ui', 'redoc'],
    ...options,
  })
  const handle = createFetchHandler(createApi({ routes: pages, onError: (error) => reported.push(error) }))
  const get = async (path: string, headers: Record<string, string> = {}) =>
    handle(new Request(`http://localhost${path}`, { headers }))
  return { get, reported }
}

const getAssets = (html: string): readonly string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => String(path))

it('serves the documents, and 404 for other files', async () => {
  const { get } = open({
    documents: {
      '/openapi.json': () => ({ a: 1 }),
      '/events.json': () => Promise.resolve({ b: 2 }),
      '/openapi-3.1.json': () => ({ c: 3 }),
    },
  })
  expect(await (await get('/openapi.json')).json()).toEqual({ a: 1 })
  expect(await (await get('/events.json')).json()).toEqual({ b: 2 })
  expect(await (await get('/openapi-3.1.json')).json()).toEqual({ c: 3 })
  expect((await get('/docs/elsewhere')).status).toBe(404)
})

it.each(['/docs', '/redoc'])('serves the page %s, whose assets are cached forever', async (path) => {
  const { get } = open({})
  const page = await get(path)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  const html = await page.text()
  expect(html).toContain('Birds &#38; bees')
  const assets = getAssets(html)
  expect(assets.length).toBeGreaterThan(2)
  for (const asset of assets) {
    const response = await get(`/${asset}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(await response.text()).not.toContain('cdn.redoc.ly/redoc/logo')
  }
})

it('has no page that is not named', async () => {
  const { get } = open({ pages: ['redoc'] })
  expect((await get('/docs')).status).toBe(404)
})

it('compresses a file for clients that accept it, with another ETag', async () => {
  const { get } = open({})
  const plain = await get('/openapi.json')
  const packed = await get('/openapi.json', { 'accept-encoding': 'gzip' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'))
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(await plain.text())
})

it('answers 500, reports the error and tries again with the next request', async () => {
  let failures = 1
  const { get, reported } = open({
    documents: {
      '/openapi.json': () => {
        if (failures-- > 0) throw new TypeError('A tag has no description')
        return {}
      },
    },
  })
  expect((await get('/openapi.json')).status).toBe(500)
  expect(reported.map(String)).toEqual(['TypeError: A tag has no description'])
  expect((await get('/openapi.json')).status).toBe(200)
})
