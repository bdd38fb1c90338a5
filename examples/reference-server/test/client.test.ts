import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import createClient from 'openapi-fetch'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { describeApi } from './describe-api.ts'
import { documentedFetch } from './documented.ts'

/** A program of a client, which is checked against the types of the document and then run. */
const program = `
import type openapiFetch from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type User = components['schemas']['User']

export async function journey(createClient: typeof openapiFetch, baseUrl: string) {
  const client = createClient<paths, 'application/json'>({ baseUrl })
  const account = { email: 'grace@example.com', name: 'Grace Hopper', password: 'a nanosecond of wire' }
  const registered = await client.POST('/api/v1/users', { body: account })
  if (registered.error) throw new Error(registered.error.error.message)
  const user: User = registered.data.data
  const again = await client.POST('/api/v1/users', { body: account })

  const session = await client.POST('/api/v1/sessions', {
    body: { email: account.email, password: account.password },
  })
  if (session.error) throw new Error(session.error.error.message)
  const authorization = \`Bearer \${session.data.data.access_token}\`
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', authorization)
    },
  })

  const post = await client.POST('/api/v1/posts', { body: { title: 'On wires', body: 'They are long.' } })
  if (post.error) throw new Error(post.error.error.message)
  const params = { path: { id: user.id }, query: { limit: 1, sort: '-created_at', fields: 'title' } }
  const posts = await client.GET('/api/v1/users/{id}/posts', { params })
  const list = (cursor: string) =>
    client.GET('/api/v1/users/{id}/posts', { params: { path: { id: user.id }, query: { cursor, limit: 1 } } })
  const page = await list('')
  const { meta } = page.data ?? {}
  const next = meta && 'nextCursor' in meta ? await list(meta.nextCursor) : undefined
  const path = { id: post.data.data.id }
  const etag = (await client.GET('/api/v1/posts/{id}', { params: { path } })).response.headers.get('etag') ?? ''
  const change = (ifMatch: string) =>
    client.PATCH('/api/v1/posts/{id}', {
      params: { path, header: { 'If-Match': ifMatch } },
      body: { status: 'archived' },
    })
  const stale = await change('"stale"')
  const changed = await change(etag)
  const deleted = await client.DELETE('/api/v1/posts/{id}', { params: { path } })
  const forbidden = await client.DELETE('/api/v1/users/{id}', { params: { path: { id: user.id } } })
  const unsigned = await client.POST('/webhooks/{provider}', {
    params: { path: { provider: 'codehost' } },
    body: { type: 'workflow_run.completed', payload: {} },
  })
  const health = await client.GET('/health')
  return {
    name: user.name,
    again: again.error?.error.code,
    titles: posts.data?.data.map(({ title }) => title),
    total: posts.data && 'total' in posts.data.meta ? posts.data.meta.total : undefined,
    pages: [page, next].map((one) => one?.data?.data.map(({ title }) => title)),
    stale: stale.error?.error.code,
    status: changed.data?.data.status,
    deleted: deleted.response.status,
    forbidden: forbidden.error?.error.code,
    unsigned: unsigned.error?.error.code,
    health: health.data?.status,
  }
}
`

/** Mistakes that the types have to see: each with what the compiler says of it. */
const mistakes: readonly (readonly [name: string, call: string, complaint: RegExp])[] = [
  ['a path that is not there', `client.GET('/api/v1/unicorns', {})`, /"\/api\/v1\/unicorns"/],
  ['a method that is not there', `client.DELETE('/health', {})`, /"\/health"/],
  [
    'a body without a field that is required',
    `client.POST('/api/v1/users', { body: { email: 'a@example.com', name: 'Ada' } })`,
    /'password' is missing/,
  ],
  ['a request without its body', `client.POST('/api/v1/sessions', {})`, /'body' is missing/],
  ['a path without its parameter', `client.GET('/api/v1/users/{id}')`, /Expected 2 arguments/],
  [
    'a query of another type',
    `client.GET('/api/v1/users', { params: { query: { limit: 'many' } } })`,
    /'string' is not assignable to type 'number'/,
  ],
  [
    'a query that is not there',
    `client.GET('/api/v1/users', { params: { query: { colour: 'red' } } })`,
    /'colour' does not exist/,
  ],
  [
    'a state that is not there',
    `client.PATCH('/api/v1/posts/{id}', { params: { path: { id: 'x' } }, body: { status: 'lost' } })`,
    /"lost"' is not assignable to type '"published" \| "archived"/,
  ],
  [
    'a provider that is not registered',
    `client.POST('/webhooks/{provider}', { params: { path: { provider: 'nobody' } }, body: {} })`,
    /"nobody"' is not assignable to type '[^']*"codehost"/,
  ],
  [
    'a field that is never shown',
    `client.GET('/api/v1/users/{id}', { params: { path: { id: 'x' } } }).then(({ data }) => data?.data.password)`,
    /'password' does not exist/,
  ],
]

const folder = dirname(fileURLToPath(import.meta.url))
const formatPath = (name: string) => join(folder, name)
const mistaken = (call: string) => `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const client = createClient<paths, 'application/json'>({ baseUrl: '' })
export const result = ${call}
`

/** The problems of each of the files, which exist in memory alone. */
function check(files: ReadonlyMap<string, string>): (name: string) => readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  }
  const host = ts.createCompilerHost(options)
  const overlaid: ts.CompilerHost = {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, version, ...rest) => {
      const text = files.get(path)
      if (text === undefined) return host.getSourceFile(path, version, ...rest)
      return ts.createSourceFile(path, text, version)
    },
  }
  const checked = ts.createProgram([...files.keys()], options, overlaid)
  return (name) => {
    const source = checked.getSourceFile(formatPath(name))
    if (source === undefined) throw new Error(`${name} was not checked`)
    return [...checked.getSyntacticDiagnostics(source), ...checked.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    )
  }
}

describe('a client from /api/openapi.json', () => {
  let getProblems: (name: string) => readonly string[]
  beforeAll(async () => {
    await using api = await startApi()
    const address = new URL(`${api.base}/api/openapi.json`)
    const types = astToString(await openapiTypes(address))
    getProblems = check(
      new Map([
        [formatPath('schema.ts'), types],
        [formatPath('program.ts'), program],
        ...mistakes.map(([name, call]) => [formatPath(`${name}.ts`), mistaken(call)] as const),
      ]),
    )
  })

  it('gets its types from the document', () => {
    expect(getProblems('schema.ts')).toEqual([])
    expect(getProblems('program.ts')).toEqual([])
  })

  it.each(mistakes)('does not compile with %s', (name, _, complaint) => {
    expect(getProblems(`${name}.ts`)).toEqual([expect.stringMatching(complaint)])
  })

  describeApi((api) => {
    it('works with the server', async () => {
      const { outputText } = ts.transpileModule(program, {
        compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.ESNext },
      })
      const { journey } = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as {
        journey: (create: typeof createClient, base: string) => Promise<unknown>
      }
      expect(
        await journey((options) => createClient({ ...options, fetch: documentedFetch }), api().base),
      ).toEqual({
        name: 'Grace Hopper',
        again: 'EMAIL_TAKEN',
        titles: ['On wires'],
        total: 1,
        pages: [['On wires'], []],
        stale: 'PRECONDITION_FAILED',
        status: 'archived',
        deleted: 204,
        forbidden: 'FORBIDDEN',
        unsigned: 'INVALID_SIGNATURE',
        health: 'ok',
      })
    })
  })
})
