import { request as httpRequest } from 'node:http'
import { text as getText } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startApi, type TestApi, type TestUser } from './api.ts'

const evil = 'evil.example'
const hostile = {
  host: evil,
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-host': evil,
  'x-forwarded-proto': 'evilproto',
  'x-forwarded-port': '60606',
  'x-forwarded-prefix': `/${evil}`,
  'x-original-url': `/${evil}`,
  'x-rewrite-url': `/${evil}`,
  forwarded: `for=192.0.2.1;host=${evil};proto=evilproto`,
}

interface Received {
  readonly status: number
  readonly location: string | undefined
  readonly link: string | undefined
  /** Everything that was sent. */
  readonly whole: string
}

function send(
  api: TestApi,
  method: string,
  target: string,
  user: TestUser,
  json?: unknown,
): Promise<Received> {
  const headers = {
    ...hostile,
    authorization: `Bearer ${user.token}`,
    ...(json !== undefined && { 'content-type': 'application/json' }),
  }
  const { port } = new URL(api.base)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path: target, headers }, (response) => {
      const { statusCode: status = 0, rawHeaders } = response
      getText(response).then((text) => {
        const { location, link } = response.headers as Record<string, string | undefined>
        resolve({ status, location, link, whole: [...rawHeaders, text].join('\n') })
      }, reject)
    })
    request.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
  })
}

describe.each([
  ['without a proxy', {}],
  ['through a trusted proxy', { TRUST_PROXY: '1' }],
  ['under a public address', { TRUST_PROXY: '1', PUBLIC_URL: 'https://api.example.test/under' }],
])('what a client says of the host gets into no response: %s', (_, environment) => {
  it('is not copied into links, documents or errors', async () => {
    await using api = await startApi(environment)
    const user = await api.user()
    const post = { title: 'T', body: 'B' }
    const created = await send(api, 'POST', '/api/v1/posts', user, post)
    expect([created.status, created.location]).toEqual([
      201,
      expect.stringMatching(/^\/api\/v1\/posts\/[^/]+$/),
    ])
    const account = { email: user.email, password: user.password }
    const session = await send(api, 'POST', '/v1/sessions', user, account)
    expect([session.status, session.location]).toEqual([
      201,
      expect.stringMatching(/^\/api\/v1\/sessions\/[^/]+$/),
    ])
    await send(api, 'POST', '/api/v1/posts', user, post)

    const answers = [created, session]
    const targets = [
      '/',
      '/health',
      '/ready',
      '/.well-known/jwks.json',
      '/api/openapi.json',
      '/api/docs',
      '/api/redoc',
      '/api/v1/posts?limit=1',
      '/api/v1/posts?limit=1&cursor=',
      '/api/v1/users',
      '/api/v1/nowhere',
      '/api/v1/posts/x',
      '/nowhere',
      '//nowhere/api/v1/posts',
      '/api/v1//posts',
    ]
    for (const target of targets) {
      for (const address of target.startsWith('//') ? [target] : [target, `http://${evil}${target}`]) {
        const answer = await send(api, 'GET', address, user)
        answers.push(answer)
        for (const [, linked] of (answer.link ?? '').matchAll(/<([^>]*)>/g)) {
          expect(linked).toMatch(/^\/api\/v1\/posts\?|^\/api\/v1\/users\?/)
        }
      }
    }
    expect(answers.filter(({ link }) => link !== undefined)).toHaveLength(6)
    // Matches the whole number only: random ids may contain its digits.
    for (const { whole } of answers) expect(whole).not.toMatch(/evil|(?<![\w-])60606(?![\w-])/)
  })
})
