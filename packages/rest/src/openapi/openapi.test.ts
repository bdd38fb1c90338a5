import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { z } from 'zod'
import { idempotencyKeyPattern } from '../idempotency.ts'
import { streamBody } from '../api/request-body.ts'
import { defineListQuery } from '../define-list-query.ts'
import { checkRoute } from '../check-route.ts'
import { multipartBody } from '../multipart/index.ts'
import { booleanFilter, integerFilter, oneOfFilter, textFilter } from '../filters.ts'
import { afterFilter, beforeFilter } from '../time-filters.ts'
import type { AnyRoute } from '../route.ts'
import { createOpenApiDocument, type OpenApiOptions } from './document.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

const User = z
  .object({
    id: z.uuid().meta({ examples: [id] }),
    email: z.email().meta({ description: 'Unique.', examples: ['ada@example.org'] }),
    name: z.string().min(2).max(100),
    status: z.enum(['active', 'suspended']),
    manager_id: z.uuid().nullable(),
    score: z.number().positive().optional(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', description: 'The users of the API.' })

const ada = {
  id,
  email: 'ada@example.org',
  name: 'Ada',
  status: 'active',
  manager_id: null,
  created_at: '2026-01-31T12:00:00.000Z',
} as const

const NewUser = z
  .strictObject({ email: z.email(), name: z.string().min(2).max(100), password: z.string().min(8).max(128) })
  .meta({ id: 'NewUser', description: 'A user to create.' })

const Event = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('created'), at: z.iso.datetime() })
      .meta({ id: 'Created', description: 'It is new.' }),
    z
      .object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()) })
      .meta({ id: 'Data', description: 'Else.' }),
  ])
  .meta({ id: 'Event', description: 'Something that happened.' })

const Tick = z.object({ at: z.iso.datetime() }).meta({ id: 'Tick', description: 'A moment.' })

const userId = z.object({ id: z.uuid().meta({ description: 'The id of the user.', examples: [id] }) })

const routes = [
  checkRoute({
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'List users',
    tags: ['users'],
    access: 'authenticated',
    query: defineListQuery({
      sortable: ['created_at', 'name'],
      defaultSort: '-created_at',
      fields: ['id', 'email', 'name'],
      searchable: 'name',
      filterable: {
        status: oneOfFilter(['active', 'suspended'], { description: 'Keeps those of a status.' }),
        createdAfter: afterFilter('created_at'),
        createdBefore: beforeFilter('created_at'),
        score: integerFilter({ minimum: 0 }),
        managed: booleanFilter(),
        email: textFilter(),
      },
    }),
    responses: {
      200: {
        description: 'A page of users',
        list: User,
        example: { data: [ada], meta: { page: 1, limit: 20, total: 1, totalPages: 1 } },
      },
    },
    etag: true,
  }),
  checkRoute({
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'Registers a user.',
    tags: ['users'],
    access: 'public',
    body: NewUser,
    bodyExample: { email: 'ada@example.org', name: 'Ada', password: 'correct horse' },
    responses: {
      201: {
        description: 'The user',
        data: User,
        headers: { Location: 'Where it is.' },
        example: { data: ada },
      },
    },
    errors: ['EMAIL_TAKEN'],
    etag: true,
    idempotencyKey: true,
  }),
  checkRoute({
    method: 'GET',
    path: '/users/{id}',
    operationId: 'getUser',
    summary: 'Get a user',
    tags: ['users'],
    access: 'authenticated',
    params: userId,
    query: z.object({ expand: z.enum(['manager']).optional().meta({ description: 'Parts to include.' }) }),
    responses: { 200: { description: 'The user', data: User } },
    errors: ['NOT_FOUND'],
    etag: true,
  }),
  checkRoute({
    method: 'PATCH',
    path: '/users/{id}',
    operationId: 'updateUser',
    summary: 'Change a user',
    tags: ['users'],
    access: 'authenticated',
    params: userId,
    body: NewUser.partial(),
    responses: { 200: { description: 'The user', data: User } },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'OUT_OF_TEA'],
    etag: true,
  }),
  checkRoute({
    method: 'DELETE',
    path: '/users/{id}',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    tags: ['users'],
    access: { roles: ['admin'] },
    params: userId,
    responses: { 204: { description: 'Deleted' } },
    errors: ['NOT_FOUND'],
    etag: true,
    deprecated: true,
  }),
  checkRoute({
    method: 'GET',
    path: '/users/{user_id}/events',
    operationId: 'listEvents',
    summary: 'List events',
    tags: ['events'],
    access: 'authenticated',
    query: defineListQuery({ sortable: [], pagination: 'cursor' }),
    responses: { 200: { description: 'A page of events', list: Event } },
  }),
  checkRoute({
    method: 'GET',
    path: '/names',
    operationId: 'listNames',
    summary: 'List names',
    tags: ['users'],
    access: 'public',
    query: defineListQuery({ sortable: ['name'], pagination: 'offset' }),
    responses: { 200: { description: 'A page of names', list: z.string(), form: 'bare' } },
  }),
  checkRoute({
    method: 'GET',
    path: '/teams',
    operationId: 'listTeams',
    summary: 'List teams',
    tags: ['users'],
    access: 'public',
    query: defineListQuery({ sortable: ['name'], pagination: 'offset' }),
    responses: { 200: { description: 'A page of teams', list: z.string(), form: 'without-total-pages' } },
  }),
  checkRoute({
    method: 'GET',
    path: '/ticks',
    operationId: 'watchTicks',
    summary: 'Watch ticks',
    tags: ['events'],
    access: 'authenticated',
    responses: { 200: { description: 'Ticks', events: Tick } },
  }),
  checkRoute({
    method: 'GET',
    path: '/ticks/all',
    operationId: 'exportTicks',
    summary: 'Export ticks',
    tags: ['events'],
    access: 'authenticated',
    responses: { 200: { description: 'Ticks', lines: Tick } },
  }),
  checkRoute({
    method: 'GET',
    path: '/ticks/last',
    operationId: 'getLastTick',
    summary: 'Get the last tick',
    tags: ['events'],
    access: 'authenticated',
    responses: { 200: { description: 'The last tick', data: Tick } },
  }),
] satisfies readonly AnyRoute[]

const options: OpenApiOptions = {
  routes,
  info: {
    title: 'An API',
    version: '1.0.0',
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  },
  servers: [{ url: 'https://api.sallyport.test' }],
  tags: [
    { name: 'users', description: 'The users of the API.' },
    { name: 'events', description: 'What happened.' },
  ],
  webhooks: {
    'tick.created': {
      description: 'A tick occurred.',
      tags: ['events'],
      body: z.object({ id: z.string(), data: Tick }),
      headers: { 'Webhook-Signature': 'The signature.' },
    },
  },
  prefix: '/api/v1',
  statuses: { OUT_OF_TEA: 418 },
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: object
  }[]
  readonly security: readonly object[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Content }>>
  readonly deprecated?: boolean
  readonly description?: string
}
type Content = Readonly<
  Record<string, { readonly schema: object; readonly examples?: object; readonly example?: unknown }>
>

const document = createOpenApiDocument(options)

/** A part of the document with its references resolved, except those to schemas. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved)
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { readonly $ref?: string }
  if ($ref === undefined || $ref.startsWith('#/components/schemas/')) {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]))
  }
  const [, , kind = '', name = ''] = $ref.split('/')
  const components = document.components as unknown as Record<string, Record<string, unknown>>
  expect(components[kind]).toHaveProperty([name])
  return resolved(components[kind]![name])
}

const operation = (path: string, method: string) => {
  const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  return resolved(paths[`/api/v1${path}`]![method]) as Operation
}

describe('the document', () => {
  const folder = mkdtemp(join(tmpdir(), 'sallyport-openapi-'))
  afterAll(async () => {
    await rm(await folder, { recursive: true })
  })

  it.each(['3.0', '3.1', '3.2'] as const)('passes the strict rules of redocly in %s', async (openapi) => {
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
    const file = join(await folder, `${openapi}.json`)
    await writeFile(file, JSON.stringify(createOpenApiDocument({ ...options, openapi })))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', file, '--extends=recommended-strict', '--format=json'],
      {
        cwd: await folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    ).catch((error: unknown) => error as { stdout: string })
    const { problems, totals } = JSON.parse(stdout) as {
      problems: readonly unknown[]
      totals: { errors: number }
    }
    expect(problems).toEqual([])
    expect(totals.errors).toBe(0)
  })

  it('describes the webhooks that the API sends: in 3.0 by an extension', () => {
    const { webhooks } = document
    expect(webhooks?.['tick.created']?.['post']).toMatchObject({
      operationId: 'tickCreated',
      summary: 'tick.created',
      parameters: [{ name: 'Webhook-Signature', in: 'header', required: true }],
      requestBody: {
        content: {
          'application/json': { schema: { properties: { data: { $ref: '#/components/schemas/Tick' } } } },
        },
      },
    })
    const old = createOpenApiDocument({ ...options, openapi: '3.0' })
    expect(old.webhooks).toBe(undefined)
    expect(old['x-webhooks']).toHaveProperty(['tick.created', 'post'])
  })

  it('describes the items of streams: by the keyword of 3.2, the content in 3.1, and an extension in 3.0', () => {
    const item = { $ref: '#/components/schemas/Tick' }
    const event = {
      type: 'object',
      properties: {
        id: { type: 'string' },
        event: { type: 'string' },
        data: { type: 'string', contentMediaType: 'application/json', contentSchema: item },
        retry: { type: 'integer', minimum: 0 },
      },
      required: ['data'],
    }
    const content = (openapi: '3.0' | '3.1' | '3.2', path: string) => {
      const { paths } = createOpenApiDocument({ ...options, openapi })
      const response = paths[`/api/v1${path}`]?.['get']?.responses[200]
      return (response as { content?: unknown } | undefined)?.content
    }
    expect(content('3.2', '/ticks')).toEqual({ 'text/event-stream': { itemSchema: event } })
    expect(content('3.2', '/ticks/all')).toEqual({ 'application/jsonl': { itemSchema: item } })
    expect(content('3.1', '/ticks')).toEqual({
      'text/event-stream': {
        schema: {
          type: 'string',
          contentMediaType: 'text/event-stream',
          contentSchema: { type: 'array', items: event },
        },
      },
    })
    expect(content('3.0', '/ticks')).toMatchObject({
      'text/event-stream': { 'x-itemSchema': { properties: { data: { 'x-contentSchema': item } } } },
    })
  })

  it('is OpenAPI 3.1 by default', () => {
    expect(document.openapi).toBe('3.1.1')
  })

  it('lists every parameter of a list', () => {
    expect(operation('/users', 'get').parameters?.map(({ name }) => name)).toEqual([
      'page',
      'limit',
      'cursor',
      'sort',
      'fields',
      'search',
      'status',
      'createdAfter',
      'createdBefore',
      'score',
      'managed',
      'email',
      'If-None-Match',
    ])
    expect(operation('/users/{user_id}/events', 'get').parameters).toMatchObject([
      { name: 'user_id', in: 'path', required: true },
      { name: 'limit' },
      { name: 'cursor' },
    ])
  })

  it.each([
    ['/users', 'get', [200, 304, 400, 401, 406, 414, 429, 500]],
    ['/users', 'post', [201, 400, 406, 408, 409, 413, 415, 422, 429, 500]],
    ['/users/{id}', 'get', [200, 304, 400, 401, 404, 406, 414, 429, 500]],
    ['/users/{id}', 'patch', [200, 400, 401, 403, 404, 406, 408, 412, 413, 414, 415, 418, 429, 500]],
    ['/users/{id}', 'delete', [204, 400, 401, 403, 404, 406, 412, 414, 429, 500]],
  ])('lists the statuses of %s %s', (path, method, expected) => {
    expect(Object.keys(operation(path, method).responses)).toEqual(expected.map(String))
  })

  // Regression: every header was a text of at most 255 characters, and changes had only If-Match.
  it('describes headers as they are parsed', () => {
    const headers = (path: string, method: string) =>
      operation(path, method)
        .parameters?.filter((parameter) => parameter.in === 'header')
        .map(({ name, schema }) => [name, schema])
    const text = { type: 'string' }
    expect(headers('/users', 'get')).toEqual([['If-None-Match', text]])
    expect(headers('/users/{id}', 'patch')).toEqual([
      ['If-Match', text],
      ['If-None-Match', text],
    ])
    expect(headers('/users', 'post')).toEqual([
      ['Idempotency-Key', { ...text, minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern }],
    ])
  })

  it('describes on which side of a time the items are', () => {
    const described = (name: string) =>
      operation('/users', 'get').parameters?.find((parameter) => parameter.name === name)
    expect(described('createdAfter')?.description).toMatch(/after this .*exclusive/)
    expect(described('createdBefore')?.description).toMatch(/before this .*exclusive/)
  })

  it('describes who may call', () => {
    expect(operation('/users', 'post').security).toEqual([])
    expect(operation('/users', 'get').security).toEqual([{ bearer: [] }])
    expect(operation('/users/{id}', 'delete').description).toContain('admin')
    expect(operation('/users/{id}', 'delete').deprecated).toBe(true)
  })

  it('accepts one of several credentials', () => {
    const { paths, components, info } = createOpenApiDocument({
      ...options,
      security: [
        { name: 'bearer', scheme: { type: 'http', scheme: 'bearer' } },
        { name: 'cookie', scheme: { type: 'apiKey', in: 'cookie', name: '__Host-session' } },
      ],
    })
    expect(paths['/api/v1/users']?.['get']?.security).toEqual([{ bearer: [] }, { cookie: [] }])
    expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['bearer', 'cookie'])
    expect(info.description).toContain(
      '\n- Send the cookie `__Host-session` with a request that is not public.',
    )
  })

  it('shows each code of a status in both media types', () => {
    const { content } = operation('/users', 'post').responses['422']!
    expect(Object.keys(content?.['application/json']?.examples ?? {})).toEqual(['IDEMPOTENCY_KEY_REUSED'])
    expect(content?.['application/problem+json']?.schema).toEqual({
      $ref: '#/components/schemas/ProblemDetails',
    })
    expect(operation('/users', 'get').responses['429']?.headers).toHaveProperty('Retry-After')
  })

  it('shares repeated parameters and headers', () => {
    const { responses, parameters, headers } = document.components as Record<string, Record<string, object>>
    expect(Object.keys(responses!).sort()).toEqual(
      expect.arrayContaining(['InternalServerError', 'TooManyRequests', 'Unauthorized']),
    )
    expect(Object.keys(parameters!)).toEqual(expect.arrayContaining(['id', 'limit', 'page', 'If-Match']))
    expect(Object.keys(headers!)).toEqual(
      expect.arrayContaining(['ETag', 'Link', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
    )
    for (const kind of ['responses', 'parameters', 'headers']) {
      const all = Object.values((document.components as Record<string, object>)[kind]!)
      expect(new Set(all.map((part) => JSON.stringify(part))).size).toBe(all.length)
    }
  })

  it('is deterministic', () => {
    expect(createOpenApiDocument(options)).toEqual(document)
  })

  // Regression: different parameters of one name became components with generated names, such as sort2.
  it('shares a parameter by its name if most routes have the same', () => {
    const base = {
      method: 'GET',
      summary: 'X',
      access: 'public',
      responses: { 204: { description: 'X' } },
    } as const
    const getParameters = (...descriptions: readonly string[]) => {
      const { paths, components } = createOpenApiDocument({
        ...options,
        routes: descriptions.map((description, index) => ({
          ...base,
          path: `/${index}`,
          operationId: `x${index}`,
          query: z.object({ q: z.string().meta({ description }) }),
        })),
      })
      const parameters = Object.values(paths).map(({ get }) => get?.parameters?.[0])
      return { names: Object.keys(components?.parameters ?? {}), parameters }
    }
    const shared = { $ref: '#/components/parameters/q' }
    expect(getParameters('one', 'two', 'one')).toMatchObject({
      names: ['q'],
      parameters: [shared, { name: 'q', description: 'two' }, shared],
    })
    expect(getParameters('one', 'two', 'one', 'two')).toMatchObject({
      names: [],
      parameters: [
        { description: 'one' },
        { description: 'two' },
        { description: 'one' },
        { description: 'two' },
      ],
    })
  })

  it('shows own examples of errors', () => {
    const shown = createOpenApiDocument({
      ...options,
      errorExamples: {
        EMAIL_TAKEN: { message: 'Taken' },
        NOT_FOUND: ({ method }) => (method === 'GET' ? { message: 'Gone' } : undefined),
      },
    })
    const { '/api/v1/users': users, '/api/v1/users/{id}': user } = shown.paths
    expect(JSON.stringify(users?.['post']?.responses['409'])).toContain('"message":"Taken"')
    expect(JSON.stringify(user?.['get']?.responses['404'])).toContain('"message":"Gone"')
    expect(user?.['delete']?.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' })
    expect(JSON.stringify(shown.components?.responses?.['NotFound'])).toContain('There is no such user')
  })

  it('omits rate limit responses without a rate limit', () => {
    const [route] = routes
    const unlimited = createOpenApiDocument({
      ...options,
      routes: [{ ...route, rateLimit: false } as AnyRoute],
    })
    expect(JSON.stringify(unlimited)).not.toContain('RATE_LIMITED')
  })

  it('shows a valid example for every success response', () => {
    const schemas = new Map<string, z.ZodType>([
      ['getUser 200', z.object({ data: User })],
      ['createUser 201', z.object({ data: User })],
      ['updateUser 200', z.object({ data: User })],
      ['listUsers 200', z.object({ data: z.array(User), meta: z.object({ totalPages: z.int() }) })],
      ['listEvents 200', z.object({ data: z.array(Event), meta: z.object({ nextCursor: z.string() }) })],
      ['listNames 200', z.array(z.string())],
      ['listTeams 200', z.object({ data: z.array(z.string()) })],
      ['getLastTick 200', z.object({ data: Tick })],
    ])
    const shown = Object.values(document.paths).flatMap((item) =>
      Object.values(item as unknown as Record<string, Operation & { readonly operationId: string }>).flatMap(
        (one) =>
          Object.entries(one.responses)
            .filter(([status, { content }]) => status < '300' && content?.['application/json'] !== undefined)
            .map(
              ([status, { content }]) =>
                [`${one.operationId} ${status}`, content!['application/json']!] as const,
            ),
      ),
    )
    expect(shown.map(([name]) => name).sort()).toEqual([...schemas.keys()].sort())
    for (const [name, { example }] of shown) {
      expect(schemas.get(name)!.safeParse(example), name).toMatchObject({ success: true })
    }
    const { example } = operation('/users/{id}', 'patch').requestBody!.content['application/json']!
    expect(NewUser.partial().safeParse(example)).toMatchObject({ success: true })
  })

  it('has no keyword of OpenAPI 3.1 in OpenAPI 3.0', () => {
    const text = JSON.stringify(createOpenApiDocument({ ...options, openapi: '3.0' }).components?.schemas)
    expect(text).not.toContain('"examples"')
    expect(text).not.toContain('"const"')
    expect(text).toContain(`"example":"${id}"`)
  })

  // Regression: every field of an item was optional, because fields may omit it.
  it('requires the fields of an item, and says that `fields` omits others', () => {
    const { content, description } = document.paths['/api/v1/users']?.['get']?.responses['200'] as {
      content: Content
      description: string
    }
    expect(content['application/json']?.schema).toMatchObject({
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/User' } } },
    })
    expect(document.components?.schemas?.['User']?.required).toContain('email')
    expect(description).toBe('A page of users. If the request has `fields`, each item has only these fields.')
  })

  it('declares the headers of every response', () => {
    const names = (method: string, status: string) =>
      Object.keys(operation('/users', method).responses[status]?.headers ?? {})
    const all = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
    expect(names('get', '200')).toEqual(['Link', 'ETag', ...all])
    expect(names('get', '304')).toEqual(['ETag', ...all])
    expect(names('get', '401')).toEqual(['WWW-Authenticate', ...all])
    expect(names('get', '429')).toEqual(['Retry-After', ...all])
    expect(names('post', '201')).toEqual(['Location', 'ETag', 'Idempotent-Replayed', ...all])
  })

  it('shows a detail of each kind of invalid request', () => {
    const getDetails = (path: string, method: string) => {
      const examples = operation(path, method).responses['400']?.content?.['application/json']?.examples
      const { VALIDATION_ERROR } = examples as Record<string, { value: { error: { details: object[] } } }>
      return VALIDATION_ERROR?.value.error.details
    }
    const required = { code: 'REQUIRED', field: 'email', in: 'body', message: 'Required' }
    expect(getDetails('/users', 'post')).toEqual([required])
    expect(getDetails('/users', 'get')).toMatchObject([{ field: 'limit', in: 'query' }])
    expect(getDetails('/users/{id}', 'patch')).toMatchObject([{ code: 'UNKNOWN', in: 'body' }])
    expect(getDetails('/users/{id}', 'delete')).toMatchObject([{ field: 'id', in: 'path' }])
  })

  it('introduces what the routes declare', () => {
    const { description } = document.info
    const titles = description?.match(/(?<=^## ).*/gm)
    expect(titles).toEqual([
      'Authentication',
      'Lists',
      'Caching and concurrent changes',
      'Retries',
      'Rate limits',
      'Errors',
    ])
    const plain = { ...routes[2]!, access: 'public', etag: false, rateLimit: false } as const
    const introduced = createOpenApiDocument({ ...options, routes: [plain] }).info.description
    expect(introduced?.match(/(?<=^## ).*/gm)).toEqual(['Retries', 'Errors'])
    const own = { ...options, info: { ...options.info, description: 'Mine.' }, introduction: 'Read this.' }
    expect(createOpenApiDocument(own).info.description).toBe('Mine.\n\nRead this.')
  })
})

it('documents the configured code for invalid input', () => {
  const other = createOpenApiDocument({ ...options, invalid: { code: 'VALIDATION_FAILED' } })
  const paths = other.paths as unknown as Record<string, Record<string, Operation>>
  expect(paths['/api/v1/users']!['get']!.responses).toHaveProperty('422')
})

describe('createOpenApiDocument rejects', () => {
  const route = routes[2]!
  const foreign: StandardSchemaV1 = {
    '~standard': { version: 1, vendor: 'other', validate: (value) => ({ value }) },
  }
  it.each([
    ['a schema without JSON Schema', { ...options, routes: [{ ...route, params: foreign }] }],
    ['a tag that is not declared', { ...options, tags: [] }],
    ['a code without a status', { ...options, statuses: {} }],
  ])('%s', (_, bad) => {
    expect(() => createOpenApiDocument(bad)).toThrow(TypeError)
  })

  // Regression: the document held only the second of two routes, or an operationId twice.
  it.each([
    ['a method and path twice', { operationId: 'other' }],
    ['an operationId twice', { path: '/other' }],
  ])('%s', (_, over) => {
    const twice = { ...options, routes: [route, { ...route, ...over }] }
    expect(() => createOpenApiDocument(twice)).toThrow(/^Two routes /)
  })
})

it('documents headers and cookies', () => {
  const route = checkRoute({
    method: 'GET',
    path: '/x',
    operationId: 'x',
    summary: 'x',
    access: 'public',
    headers: { 'X-Tenant': z.string().min(2) },
    cookies: { theme: z.enum(['dark', 'light']).optional() },
    responses: { 204: { description: 'Done' } },
  })
  const { paths } = createOpenApiDocument({ routes: [route], info: { title: 'x', version: '1' } })
  expect(paths['/x']?.['get']).toMatchObject({
    parameters: [
      { in: 'header', name: 'X-Tenant', required: true, schema: { type: 'string', minLength: 2 } },
      { in: 'cookie', name: 'theme', schema: { type: 'string', enum: ['dark', 'light'] } },
    ],
    responses: { 400: {} },
  })
})

it('documents forms and streamed bodies', () => {
  const base = {
    path: '/x',
    summary: 'x',
    access: 'public',
    responses: { 204: { description: 'Done' } },
  } as const
  const routes = [
    checkRoute({ ...base, method: 'PUT', operationId: 'stream', body: streamBody({ limit: 1 }) }),
    checkRoute({
      ...base,
      method: 'POST',
      operationId: 'form',
      body: multipartBody(z.object({ title: z.string(), photo: z.file() })),
    }),
  ]
  const document = createOpenApiDocument({ routes, info: { title: 'x', version: '1' } })
  const { post, put } = document.paths['/x'] ?? {}
  expect(put?.requestBody).toMatchObject({
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  expect(post?.requestBody).toMatchObject({
    content: {
      'multipart/form-data': {
        schema: { properties: { title: { type: 'string' }, photo: { type: 'string', format: 'binary' } } },
      },
    },
  })
  expect(JSON.stringify(document)).not.toContain('INVALID_JSON')
})
