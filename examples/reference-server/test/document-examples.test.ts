import { STATUS_CODES } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, unknownId, type RequestOptions, type TestApi } from './api.ts'
import { validator } from './documented.ts'
import { fetchDocument, follow, type OpenApiDocument, type Schema } from './openapi.ts'

let api: TestApi
let document: OpenApiDocument
beforeAll(async () => {
  api = await startApi()
  document = await fetchDocument(api.base)
})
afterAll(() => api[Symbol.asyncDispose]())

interface Shown {
  readonly what: string
  readonly schema: Schema
  readonly examples: readonly unknown[]
}

/** Every body of a request or a success, with what is shown of it. */
function bodies(): readonly Shown[] {
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody, responses }) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const parts = [
        ...(requestBody === undefined ? [] : [['request', requestBody] as const]),
        ...successes.map(([status, response]) => [status, follow(document, response)] as const),
      ]
      return parts.flatMap(([name, { content = {} }]) =>
        Object.values(content).map(({ schema, ...media }): Shown => {
          const { example, examples = {} } = media as {
            example?: unknown
            examples?: Record<string, { value: unknown }>
          }
          const named = Object.values(examples).map(({ value }) => value)
          return { what: `${operationId} ${name}`, schema, examples: 'example' in media ? [example] : named }
        }),
      )
    }),
  )
}

it('every body of the document has a valid example', () => {
  const isTrue = validator(document)
  for (const { what, schema, examples } of bodies()) {
    expect(examples.length, what).toBeGreaterThan(0)
    for (const example of examples)
      expect(isTrue(schema, example), `${what}: ${JSON.stringify(example)}`).toBeUndefined()
  }
})

it('the server accepts the examples of requests that create', async () => {
  const requests = new Map(bodies().map(({ what, examples }) => [what, examples[0]]))
  const { token } = api.admin
  const create = async (operation: string, path: string) => {
    const answer = await api.call('POST', path, { token, json: requests.get(`${operation} request`) })
    expect(answer.status, operation).toBe(201)
    return answer.data.id
  }
  await create('createUser', '/users')
  await create('createSession', '/sessions')
  await create('createComment', `/posts/${await create('createPost', '/posts')}/comments`)
  await create('createTask', `/projects/${await create('createProject', '/projects')}/tasks`)
})

interface ShownError {
  readonly error: { readonly code: string; readonly message: string; readonly details?: readonly object[] }
}

/** The examples of the errors of an operation, by status and code. */
function errorExamples(operationId: string, status: number): Readonly<Record<string, ShownError>> {
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((one) => one.operationId === operationId)
  const response = operation?.responses[status]
  const media = response && follow(document, response).content?.['application/json']
  const { examples = {} } = media as { examples?: Record<string, { value: ShownError }> }
  return Object.fromEntries(Object.entries(examples).map(([code, { value }]) => [code, value]))
}

// Regression: the message of most errors was the reason phrase of their status.
it('the server sends the errors of the examples', async () => {
  const [author, other] = [await api.user(), await api.user()]
  const { data: post } = await api.call('POST', '/posts', {
    token: author.token,
    json: { title: 'On the engine', body: 'It weaves.' },
    headers: { 'idempotency-key': 'once' },
  })
  const { token } = author
  const as = (caller: string, options: RequestOptions = {}): RequestOptions => ({ token: caller, ...options })
  const unknown = unknownId
  const login = { email: author.email, password: 'wrong password' }
  const json = { title: 'Other', body: 'Other.' }
  const requests: readonly (readonly [string, string, string, string, RequestOptions])[] = [
    ['createUser', 'VALIDATION_ERROR', 'POST', '/users', { json: { name: 'Ada', password: login.password } }],
    ['createUser', 'EMAIL_TAKEN', 'POST', '/users', { json: { ...login, name: 'Ada' } }],
    ['createSession', 'INVALID_CREDENTIALS', 'POST', '/sessions', { json: login }],
    [
      'createToken',
      'INVALID_TOKEN',
      'POST',
      `/sessions/${unknown}/tokens`,
      { json: { refresh_token: author.refreshToken } },
    ],
    ['getSession', 'NOT_FOUND', 'GET', `/sessions/${unknown}`, as(token)],
    ['deleteUser', 'FORBIDDEN', 'DELETE', `/users/${author.id}`, as(token)],
    ['deleteUser', 'LAST_ADMIN', 'DELETE', `/users/${api.admin.id}`, as(api.admin.token)],
    ['listPosts', 'TOKEN_MISSING', 'GET', '/posts', {}],
    ['listPosts', 'INVALID_TOKEN', 'GET', '/posts', as('none')],
    ['listPosts', 'VALIDATION_ERROR', 'GET', '/posts?limit=0', as(token)],
    ['listPosts', 'BAD_REQUEST', 'GET', `/posts?${'a=&'.repeat(65)}`, as(token)],
    ['getPost', 'VALIDATION_ERROR', 'GET', '/posts/1', as(token)],
    ['getPost', 'NOT_FOUND', 'GET', `/posts/${unknown}`, as(token)],
    ['getPost', 'URI_TOO_LONG', 'GET', `/posts/${'1'.repeat(3000)}`, as(token)],
    ['createPost', 'VALIDATION_ERROR', 'POST', '/posts', as(token, { json: { body: 'It weaves.' } })],
    ['createPost', 'NOT_ACCEPTABLE', 'POST', '/posts', as(token, { json, headers: { accept: 'text/html' } })],
    ['createPost', 'UNSUPPORTED_MEDIA_TYPE', 'POST', '/posts', as(token, { body: 'text' })],
    [
      'createPost',
      'INVALID_JSON',
      'POST',
      '/posts',
      as(token, { body: '{', headers: { 'content-type': 'application/json' } }),
    ],
    [
      'createPost',
      'PAYLOAD_TOO_LARGE',
      'POST',
      '/posts',
      as(token, { json: { ...json, body: 'x'.repeat(20_000) } }),
    ],
    [
      'createPost',
      'IDEMPOTENCY_KEY_REUSED',
      'POST',
      '/posts',
      as(token, { json, headers: { 'idempotency-key': 'once' } }),
    ],
    ['patchPost', 'FORBIDDEN', 'PATCH', `/posts/${post.id}`, as(other.token, { json })],
    [
      'patchPost',
      'PRECONDITION_FAILED',
      'PATCH',
      `/posts/${post.id}`,
      as(token, { json, headers: { 'if-match': '"0"' } }),
    ],
    ['getDelivery', 'NOT_FOUND', 'GET', `/deliveries/${unknown}`, as(api.admin.token)],
    ['getEventData', 'NOT_FOUND', 'GET', `/deliveries/${unknown}/data?event=1`, as(api.admin.token)],
  ]
  for (const [operationId, code, method, path, options] of requests) {
    const { status, error } = await api.call(method, path, options)
    expect({ error }, `${operationId} ${code}`).toEqual(errorExamples(operationId, status)[code])
  }
})

it('the gateway sends the errors of the examples', async () => {
  const requests = [
    ['INVALID_SIGNATURE', '/webhooks/codehost', {}],
    ['UNKNOWN_PROVIDER', '/webhooks/unknown', {}],
    ['UNSUPPORTED_MEDIA_TYPE', '/webhooks/tasks', { 'content-encoding': 'gzip' }],
    ['PAYLOAD_TOO_LARGE', '/webhooks/tasks', {}],
  ] as const
  for (const [code, path, headers] of requests) {
    const body = code === 'PAYLOAD_TOO_LARGE' ? 'x'.repeat(1_048_577) : '{}'
    const response = await fetch(api.base + path, { method: 'POST', headers, body })
    expect(await response.json(), code).toEqual(errorExamples('receiveDelivery', response.status)[code])
  }
})

it('no example of an error repeats the reason phrase of its status', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const { operationId, responses } of operations) {
    for (const status of Object.keys(responses).filter((one) => one >= '400')) {
      for (const { error } of Object.values(errorExamples(operationId, Number(status)))) {
        expect(error.message, `${operationId} ${error.code}`).not.toBe(STATUS_CODES[status])
      }
    }
  }
})
