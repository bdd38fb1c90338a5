import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsole } from '../src/console.ts'
import { hosts, type Host } from './hosts.ts'

const settings = { api: '../operations', login: { page: '/login?next="><script>' } } as const

/** Resolves the addresses of a page as a browser does. */
function findAssets(html: string, page: string): readonly string[] {
  const [, base = ''] = /<base href="([^"]*)"/.exec(html) ?? []
  const from = new URL(base, `http://localhost${page}`)
  return [...html.matchAll(/(?:src|href)="(\.\/assets\/[^"]*)"/g)].map(
    ([, address = '']) => new URL(address, from).pathname,
  )
}

describe.each(Object.entries(hosts))('on %s', (_, open) => {
  let host: Host
  beforeAll(async () => {
    host = await open(createConsole(settings))
  })
  afterAll(() => host.close())

  it.each(['/ops/console', '/ops/console/', '/ops/console/deliveries/7', '/ops/console/unknown'])(
    'serves the page with its assets at %s',
    async (path) => {
      const response = await host.fetch(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const assets = findAssets(await response.text(), path)
      expect(assets).toHaveLength(3)
      for (const asset of assets) {
        const file = await host.fetch(asset)
        expect(file.status, asset).toBe(200)
        expect(file.headers.get('cache-control')).toContain('immutable')
        expect(file.headers.get('x-content-type-options')).toBe('nosniff')
        await file.body?.cancel()
      }
    },
  )

  it('forbids inline code, other origins and frames', async () => {
    const { headers } = await host.fetch('/ops/console/overview')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  it('keeps the policy in a response 304', async () => {
    const first = await host.fetch('/ops/console/overview')
    const etag = first.headers.get('etag') ?? ''
    const second = await host.fetch('/ops/console/overview', { headers: { 'if-none-match': etag } })
    expect(second.status).toBe(304)
    expect(second.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
  })

  it('answers 404 for other paths and 405 for other methods', async () => {
    for (const path of ['/ops/console/assets/none.js', '/ops/console/keys/1/2'])
      expect((await host.fetch(path)).status, path).toBe(404)
    expect((await host.fetch('/ops/console/overview', { method: 'POST' })).status).toBe(405)
  })
})
