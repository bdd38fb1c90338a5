import { gzipSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { expect, it } from 'vitest'
import { createConsole, isConsoleBuilt } from './console.ts'
import { findApplication } from './files.ts'

const read = async (
  path: string,
  headers = {},
  options: Partial<Parameters<typeof createConsole>[0]> = {},
) => {
  const answer = createFetchHandler(createConsole({ api: '/operations', ...options }), { mount: '/console' })
  return answer(new Request(`http://localhost/console${path}`, { headers }))
}

it('is under 250 KB compressed', () => {
  expect(isConsoleBuilt()).toBe(true)
  const folder = `${findApplication() ?? ''}/assets`
  const sizes = readdirSync(folder).map(
    (name) => gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length,
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250_000)
})

it('escapes the settings in the page', async () => {
  const page = await (
    await read('/overview', {}, { login: { page: '/login?"><script>alert(1)</script>' } })
  ).text()
  expect(page).not.toContain('<script>alert')
  const [, content = ''] = /<meta name="sallyport-console" content="([^"]*)"/.exec(page) ?? []
  const settings = content.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  expect(JSON.parse(settings)).toEqual({
    api: '/operations',
    document: '/operations/openapi.json',
    login: { kind: 'page', address: '/login?"><script>alert(1)</script>' },
  })
})

it('compresses files for clients that accept gzip', async () => {
  const plain = await read('/overview')
  const gzip = await read('/overview', { 'accept-encoding': 'br, gzip;q=0.8' })
  const refused = await read('/overview', { 'accept-encoding': 'gzip;q=0' })
  expect(plain.headers.get('content-encoding')).toBe(null)
  expect(gzip.headers.get('content-encoding')).toBe('gzip')
  expect(refused.headers.get('content-encoding')).toBe(null)
  expect(gzip.headers.get('etag')).not.toBe(plain.headers.get('etag'))
})

it.each(['https://api.example.com', '//api.example.com/v1', 'javascript:alert(1)'])(
  'rejects an API on another origin: %s',
  (api) => {
    expect(() => createConsole({ api })).toThrow(TypeError)
    expect(() => createConsole({ api: '/operations', login: { page: api } })).toThrow(TypeError)
    expect(() => createConsole({ api: '/operations', document: api })).toThrow(TypeError)
  },
)
