import { METHODS } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'
import { fetchDocument, operationsUnder, type DeclaredOperation } from './openapi.ts'
import { sendRaw } from '@sallyport/test-support/hosts'

/** What Node.js reads as a method; it hangs up on CONNECT before any handler. */
const everyMethod = METHODS.filter((method) => method !== 'CONNECT')

describeApi((api) => {
  let user: TestUser
  /** The operations, with unknown ids as the parameters of their paths. */
  let operations: readonly DeclaredOperation[]
  let service: readonly string[]
  beforeAll(async () => {
    user = await api().user()
    const document = await fetchDocument(api().base)
    service = operationsUnder(document, '').map(({ method, path }) => `${method} ${path}`)
    operations = operationsUnder(document, '/api/v1').map((operation) => ({
      ...operation,
      path: operation.path.replaceAll(
        /\{[^}]+\}/g,
        operation.path.startsWith('/keys/') ? '0123456789abcdef' : unknownId,
      ),
    }))
  })

  const isPublic = ({ security }: DeclaredOperation) => security.length === 0
  const takes = ({ parameters = [] }: DeclaredOperation, name: string) =>
    parameters.some((parameter) => parameter.name === name)

  /** Runs a check on each of them, and names those that fail it. */
  async function each(
    declared: readonly DeclaredOperation[],
    check: (operation: DeclaredOperation) => Promise<void>,
  ): Promise<void> {
    expect(declared.length).toBeGreaterThan(0)
    for (const operation of declared) {
      await check(operation).catch((error: unknown) => {
        throw new Error(`${operation.method} ${operation.path}: ${String(error)}`, { cause: error })
      })
    }
  }

  describe('every declared route', () => {
    it('is in the specification', () => {
      const served = operations.map(({ method, path }) => `${method} ${path.replaceAll(unknownId, '{id}')}`)
      const specified = {
        '/users': ['GET', 'POST'],
        '/users/{id}': ['GET', 'PUT', 'PATCH', 'DELETE'],
        '/users/{id}/posts': ['GET'],
        '/posts': ['GET', 'POST'],
        '/posts/{id}/comments': ['GET', 'POST'],
        '/projects': ['GET', 'POST'],
        '/projects/{id}': ['GET', 'PATCH', 'DELETE'],
        '/projects/{id}/tasks': ['GET', 'POST'],
      }
      for (const [path, methods] of Object.entries(specified))
        for (const method of methods) expect(served).toContain(`${method} ${path}`)
      expect(service).toEqual(expect.arrayContaining(['GET /', 'GET /health', 'POST /webhooks/{provider}']))
      const open = operations.filter(isPublic).map(({ operationId }) => operationId)
      expect(open.sort()).toEqual(['createCookieSession', 'createSession', 'createToken', 'createUser'])
    })

    it('checks the token first unless it is public', async () => {
      await each(
        operations.filter((operation) => !isPublic(operation)),
        async ({ method, path }) => {
          const answer = await api().call(method, path, { headers: { accept: 'text/html' } })
          expect(answer.status).toBe(401)
          expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
          expect(answer.error.code).toBe('TOKEN_MISSING')
        },
      )
    })

    it('answers other methods with 405 and Allow, and OPTIONS with Allow', async () => {
      const paths = Map.groupBy(operations, ({ path }) => path)
      expect(paths.size).toBeGreaterThan(0)
      for (const [path, declared] of paths) {
        const methods = declared.map(({ method }) => method)
        const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
        const options = await api().call('OPTIONS', path)
        expect([options.status, options.text]).toEqual([204, ''])
        const allow = options.headers.get('allow')!
        expect([path, allow.split(', ').sort()]).toEqual([path, allowed])
        for (const method of everyMethod.filter((method) => !allowed.includes(method))) {
          // Not by `fetch`, which keeps some methods to itself.
          const request = `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
          const { status, headers, text } = await sendRaw(api().base, request)
          expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allow])
          if (method === 'HEAD') continue
          expect(JSON.parse(text)).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
        }
      }
    })

    it('answers HEAD like GET', async () => {
      await each(
        // The response of a stream has no end.
        operations.filter(({ method, path }) => method === 'GET' && !path.endsWith('/stream')),
        async ({ path }) => {
          const get = await api().call('GET', path, { token: api().admin.token })
          const head = await api().call('HEAD', path, { token: api().admin.token })
          expect([head.status, head.text]).toEqual([get.status, ''])
          expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
        },
      )
    })

    it('answers only in JSON', async () => {
      await each(operations, async ({ method, path }) => {
        const headers = { accept: 'application/xml' }
        const answer = await api().call(method, path, { token: api().admin.token, headers })
        expect([answer.status, answer.error.code]).toEqual([406, 'NOT_ACCEPTABLE'])
      })
    })

    it('rejects malformed ids', async () => {
      await each(
        operations.filter(({ path, parameters = [] }) => {
          const ids = parameters.filter((parameter) => parameter.in === 'path')
          return path.includes(unknownId) && ids.every(({ schema }) => schema.format === 'uuid')
        }),
        async ({ method, path, requestBody }) => {
          const options = { token: api().admin.token, ...(requestBody && { json: {} }) }
          const answer = await api().call(method, path.replaceAll(unknownId, 'me'), options)
          expect([answer.status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
          expect(getProblems(answer)).toHaveProperty('id')
        },
      )
    })

    it('answers 404 for missing resources', async () => {
      await each(
        operations.filter(({ path, requestBody }) => path.includes(unknownId) && requestBody === undefined),
        async ({ method, path, parameters = [] }) => {
          const required = parameters.filter((one) => one.in === 'query' && one.required === true)
          const query = new URLSearchParams(
            required.map(({ name }): [string, string] => [name, 'unknown']),
          ).toString()
          const answer = await api().call(method, `${path}?${query}`, { token: api().admin.token })
          expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
        },
      )
    })

    it('reports all unknown parameters and invalid pages together', async () => {
      await each(
        operations.filter((operation) => takes(operation, 'limit')),
        async ({ path }) => {
          const query = '?limit=1000&page=x&colour=red&fields=nothing'
          const answer = await api().call('GET', path + query, { token: api().admin.token })
          expect(answer.status).toBe(400)
          expect(Object.keys(getProblems(answer)).sort()).toEqual(['colour', 'fields', 'limit', 'page'])
        },
      )
    })

    it('with a body accepts only JSON with known fields', async () => {
      await each(
        operations.filter(({ requestBody }) => requestBody !== undefined),
        async ({ method, path }) => {
          const { token } = api().admin
          const form = await api().call(method, path, { token, body: new URLSearchParams({ a: 'b' }) })
          expect([form.status, form.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
          const odd = await api().call(method, path, { token, json: { colour: 'red' } })
          expect([odd.status, odd.error.code]).toEqual([400, 'VALIDATION_ERROR'])
          expect(getProblems(odd)).toHaveProperty('colour')
        },
      )
    })

    it('for admins rejects all others', async () => {
      const refused: string[] = []
      await each(
        operations.filter((operation) => !isPublic(operation) && operation.requestBody === undefined),
        async ({ method, path, operationId }) => {
          const { status } = await api().call(method, path, { token: user.token })
          if (status === 403) refused.push(operationId)
        },
      )
      // Before it is looked whether there is one: who may not delete users learns nothing.
      expect(refused).toEqual(
        expect.arrayContaining([
          'deleteUser',
          'listEvents',
          'listDeliveries',
          'getDelivery',
          'eraseDelivery',
        ]),
      )
    })

    it('that creates accepts an Idempotency-Key, except for sessions, registrations, API keys and invitations', () => {
      // Responses with an API key or the token of an invitation are not stored.
      const excepted: readonly (string | undefined)[] = ['createKey', 'createInvitation']
      const creating = operations.filter(
        (operation) =>
          '201' in operation.responses && !isPublic(operation) && !excepted.includes(operation.operationId),
      )
      expect(creating.length).toBeGreaterThan(0)
      const without = creating.filter((operation) => !takes(operation, 'Idempotency-Key'))
      expect(without.map(({ operationId }) => operationId)).toEqual([])
    })
  })

  describe('a path that is not declared', () => {
    it.each(['', '/', '/nothing', '/users/', '/Users', '/users//posts'])('is not found: %j', async (path) => {
      const answer = await api().call('GET', path)
      expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    })
  })
})
