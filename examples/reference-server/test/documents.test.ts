import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { text as getText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverDocument } from '../src/documents/openapi.ts'
import { version } from '../src/version.ts'
import { startApi, unknownId, type TestApi } from './api.ts'

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly security: readonly object[]
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> }
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())

/** By `node:http`, because `fetch` changes how conditional requests are cached. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${api.base}${path}`, { method, headers }, (response) => {
      getText(response).then((text) => {
        resolve({ status: response.statusCode!, headers: response.headers, text })
      }, reject)
    })
    request.on('error', reject).end()
  })
}

async function document(): Promise<Document> {
  return JSON.parse((await send('GET', '/api/openapi.json')).text) as Document
}

const getOperations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** Returns the paths of the assets of a page. */
async function getAssets(page: string): Promise<string[]> {
  const { text } = await send('GET', page)
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, target]) => target!)
    .filter((target) => target.endsWith('.js') || target.endsWith('.css'))
    .map((target) => new URL(target, `${api.base}${page}`).pathname)
}

describe('/api/openapi.json', () => {
  it('names the version, the address and the tokens of this server', async () => {
    const { info, servers, components } = await document()
    expect(info.version).toBe(version)
    expect(servers).toEqual([{ url: '/' }])
    expect(components.securitySchemes['bearer']).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  it('has the same operations in OpenAPI 3.1', async () => {
    const newer = JSON.parse((await send('GET', '/api/openapi-3.1.json')).text) as Document
    expect(newer).toMatchObject({ openapi: '3.1.1' })
    expect(getOperations(newer).map(({ operation }) => operation.operationId)).toEqual(
      getOperations(await document()).map(({ operation }) => operation.operationId),
    )
  })

  it('names the public address if it is set', () => {
    const options = {
      api: [],
      service: [],
      providers: [],
      publicUrl: 'https://api.sallyport.test/under',
      bodyLimit: 1,
    }
    expect(serverDocument(options).servers).toEqual([{ url: 'https://api.sallyport.test/under' }])
  })

  it('describes existing operations, whose responses are as documented for anonymous callers and the admin', async () => {
    for (const { path, method, operation } of getOperations(await document())) {
      const address = path.replace('{provider}', 'codehost').replaceAll(/\{\w+\}/g, unknownId)
      const documented = Object.keys(operation.responses).map(Number)
      const what = `${method} ${path}`
      const stranger = await send(method, address)
      expect(documented, what).toContain(stranger.status)
      expect(stranger.status === 401, what).toBe(
        operation.security.length > 0 || path === '/webhooks/{provider}',
      )
      // The response of a stream has no end.
      if (path.endsWith('/stream')) continue
      const admin = await send(method, address, { authorization: `Bearer ${api.admin.token}` })
      expect(documented, what).toContain(admin.status)
      expect(admin.status, what).not.toBe(405)
    }
  })

  it('describes every operation', async () => {
    const undescribed = getOperations(await document()).filter(({ operation }) => !operation.description)
    expect(undescribed.map(({ operation }) => operation.operationId)).toEqual([])
  })

  it('documents that only an admin deletes users', async () => {
    // It once had the description of PUT and PATCH as well, by which the user itself may.
    const { put, delete: remove } = (await document()).paths['/api/v1/users/{id}']!
    expect(put?.description).toContain('The user itself')
    expect(remove?.description).toBe('Requires one of the roles: admin.')
  })

  it('describes the signatures of webhooks, not tokens', async () => {
    const { parameters, security, responses } = (await document()).paths['/webhooks/{provider}']!['post']!
    expect(parameters).toMatchObject([
      { name: 'provider', in: 'path', schema: { enum: ['tasks', 'messaging', 'deploy', 'codehost'] } },
      { name: 'x-tasktracker-hmac-sha256', in: 'header' },
      { name: 'x-messaging-signature', in: 'header' },
      { name: 'x-deploy-signature', in: 'header' },
      { name: 'x-hub-signature-256', in: 'header' },
    ])
    expect(security).toEqual([])
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '404',
      '408',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
  })

  it('is not served to clients that do not accept JSON', async () => {
    const { status, text } = await send('GET', '/api/openapi.json', { accept: 'text/html' })
    expect([status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
      406,
      'NOT_ACCEPTABLE',
    ])
  })

  it('cannot be created from a route with an undescribed tag', () => {
    const route = {
      method: 'GET',
      path: '/',
      operationId: 'x',
      summary: 'X',
      access: 'public',
      tags: ['unknown-tag'],
      responses: { 204: { description: 'Done' } },
    } as const
    expect(() => serverDocument({ api: [], service: [{ route }], providers: [], bodyLimit: 1 })).toThrow(
      /unknown-tag/,
    )
  })
})

describe('the addresses of documents', () => {
  const addresses = ['/api/openapi.json', '/api/asyncapi.json', '/api/docs', '/api/redoc']
  it.each([...addresses, 'an asset'])(
    '%s: answers HEAD, OPTIONS, other methods and preconditions',
    async (address) => {
      const path = address === 'an asset' ? (await getAssets('/api/docs'))[0]! : address
      const got = await send('GET', `${path}?unknown=1`)
      expect(got.status).toBe(200)
      expect(got.headers.etag).toMatch(/^"[^"]+"$/)
      expect(got.headers['x-content-type-options']).toBe('nosniff')
      expect(got.headers['x-request-id']).toBeDefined()

      const head = await send('HEAD', path)
      expect([head.status, head.text, head.headers['content-length']]).toEqual([
        200,
        '',
        String(Buffer.byteLength(got.text)),
      ])
      const unchanged = await send('GET', path, { 'if-none-match': got.headers.etag! })
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', got.headers.etag])
      expect((await send('GET', path, { 'if-none-match': '"other"' })).status).toBe(200)

      const options = await send('OPTIONS', path)
      expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
      const post = await send('POST', path, { accept: 'application/problem+json' })
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect(JSON.parse(post.text)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    },
  )

  it.each(['/api/docs', '/api/redoc'])('%s allows only its own files', async (page) => {
    const { headers, text } = await send('GET', page)
    const policy = headers['content-security-policy'] as string
    const directives = new Map(
      policy.split('; ').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)] as const),
    )
    expect(directives.get('default-src')).toEqual(["'none'"])
    expect(directives.get('script-src')).toEqual(["'self'"])
    expect(directives.get('connect-src')).toEqual(["'self'"])
    expect(directives.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(text).not.toMatch(/https?:|<script(?! src=)|<style|\son\w+=/)
  })

  it.each(['/api/docs', '/api/redoc'])('%s has assets with content hashes', async (page) => {
    const assets = await getAssets(page)
    expect(assets.length).toBeGreaterThan(2)
    for (const asset of assets) {
      const { status, headers } = await send('GET', asset)
      expect(status, asset).toBe(200)
      expect(headers['cache-control'], asset).toBe('public, max-age=31536000, immutable')
      expect(headers['content-type'], asset).toMatch(/^text\/(javascript|css); charset=utf-8$/)
      expect(headers['content-security-policy'], asset).toContain("default-src 'none'")
    }
  })

  it.each(['/api/docs', '/api/redoc'])('%s/ redirects to the page', async (page) => {
    const { status, headers } = await send('GET', `${page}/?a=b`)
    expect(status).toBe(308)
    expect(new URL(headers.location!, `http://proxy/prefix${page}/`).href).toBe(`http://proxy/prefix${page}`)
    expect((await send('POST', `${page}/`)).status).toBe(404)
  })

  it.each([
    '/api',
    '/api/',
    '/api/Docs',
    '/api/docs/index.html',
    '/api/docs/package.json',
    '/api/docs/swagger-ui-bundle.js',
    '/api/docs/swagger-initializer.js',
    '/api/docs/..%2fpackage.json',
    '/api/docs/%2e%2e/%2e%2e/package.json',
    '/api/redoc/redoc.standalone.js',
    '/api/redoc/redoc.standalone.js.map',
    '/api/v1/openapi.json',
    '/v1/docs',
  ])('%s is not there', async (path) => {
    const { status, text } = await send('GET', path)
    expect([status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('reject a path that is not text', async () => {
    for (const path of ['/api/%ff', '/api/docs%00']) expect((await send('GET', path)).status, path).toBe(400)
  })
})
