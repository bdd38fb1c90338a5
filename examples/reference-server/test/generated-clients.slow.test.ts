import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'

const generators = fileURLToPath(new URL('../clients/', import.meta.url))
const isInstalled = existsSync(join(generators, 'node_modules', 'orval'))
const isRequired = process.env['CI'] === 'true' || process.env['REQUIRE_SERVICES'] === '1'
if (!isInstalled && !isRequired)
  process.stdout.write('SKIPPED generated clients: run npm ci --prefix examples/reference-server/clients\n')

const account = `{ email: \`\${name}@example.com\`, name: 'Grace Hopper', password: 'a nanosecond of wire' }`

/** The same flow with each client: register, log in, create, list with a cursor, change with a condition, delete. */
const flows = {
  'hey-api': `
import { createClient } from './client'
import { createPost, createSession, createUser, deletePost, getPost, listUserPosts, patchPost } from './sdk.gen'

export async function run(baseUrl: string, name: string) {
  const client = createClient({ baseUrl })
  const account = ${account}
  const { email, password } = account
  const registered = await createUser({ client, body: account })
  if (registered.error) throw new Error(registered.error.error.message)
  const session = await createSession({ client, body: { email, password } })
  if (session.error) throw new Error(session.error.error.message)
  client.setConfig({ auth: session.data.data.access_token })
  for (const title of ['One', 'Two']) {
    const post = await createPost({ client, body: { title, body: 'Long.' } })
    if (post.error) throw new Error(post.error.error.message)
  }
  const posts: { id: string; title: string }[] = []
  let cursor: string | undefined = ''
  const list = (cursor: string) =>
    listUserPosts({ client, path: { id: registered.data.data.id }, query: { cursor, limit: 1 } })
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof list>> = await list(cursor)
    if (page.error) throw new Error(page.error.error.message)
    posts.push(...page.data.data)
    const { meta } = page.data
    cursor = 'nextCursor' in meta && meta.hasMore ? meta.nextCursor : undefined
  }
  const path = { id: posts[0]?.id ?? '' }
  const { response } = await getPost({ client, path })
  const etag = response?.headers.get('etag') ?? ''
  const change = (ifMatch: string) =>
    patchPost({ client, path, headers: { 'If-Match': ifMatch }, body: { status: 'archived' } })
  const stale = await change('"stale"')
  const changed = await change(etag)
  const deleted = await deletePost({ client, path })
  return {
    titles: posts.map(({ title }) => title),
    stale: stale.error?.error.code,
    status: changed.data?.data.status,
    deleted: deleted.response?.status,
  }
}
`,
  orval: `
import { createPost, createSession, createUser, deletePost, getPost, listUserPosts, patchPost } from './client'

export async function run(_: string, name: string) {
  const account = ${account}
  const { email, password } = account
  const registered = await createUser(account)
  if (registered.status !== 201) throw new Error(String(registered.status))
  const session = await createSession({ email, password })
  if (session.status !== 201) throw new Error(String(session.status))
  const authorization = \`Bearer \${session.data.data.access_token}\`
  const options = { headers: { authorization } }
  for (const title of ['One', 'Two']) {
    const post = await createPost({ title, body: 'Long.' }, options)
    if (post.status !== 201) throw new Error(String(post.status))
  }
  const posts: { id: string; title: string }[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof listUserPosts>> = await listUserPosts(
      registered.data.data.id,
      { cursor, limit: 1 },
      options,
    )
    if (page.status !== 200) throw new Error(String(page.status))
    posts.push(...page.data.data)
    const { meta } = page.data
    cursor = 'nextCursor' in meta && meta.hasMore ? meta.nextCursor : undefined
  }
  const id = posts[0]?.id ?? ''
  const got = await getPost(id, options)
  const change = (ifMatch: string) =>
    patchPost(id, { status: 'archived' }, { headers: { authorization, 'If-Match': ifMatch } })
  const stale = await change('"stale"')
  const changed = await change(got.headers.get('etag') ?? '')
  const deleted = await deletePost(id, options)
  return {
    titles: posts.map(({ title }) => title),
    stale: stale.status === 412 && 'error' in stale.data ? stale.data.error.code : undefined,
    status: changed.status === 200 ? changed.data.data.status : undefined,
    deleted: deleted.status,
  }
}
`,
} as const

type Name = keyof typeof flows

const run = promisify(execFile)
const generate = (code: string) =>
  run(process.execPath, ['--input-type=module', '--eval', code], { cwd: generators })

async function writeClient(name: Name, folder: string, base: string): Promise<void> {
  const input = join(folder, '..', 'openapi.json')
  switch (name) {
    case 'hey-api': {
      const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
      const options = { input, output: folder, plugins, logs: { level: 'silent' } }
      await generate(
        `import { createClient } from '@hey-api/openapi-ts'\nawait createClient(${JSON.stringify(options)})`,
      )
      break
    }
    case 'orval': {
      const output = { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl: base }
      const options = { input: { target: input }, output }
      await generate(`import { generate } from 'orval'\nawait generate(${JSON.stringify(options)})`)
      break
    }
  }
  // The generators replace their folder.
  await writeFile(join(folder, 'flow.ts'), flows[name])
}

/** Compiles programs as a new project of a user would. */
function findProblems(files: readonly string[]): readonly string[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

describe.skipIf(!isInstalled && !isRequired)('clients generated from /api/openapi.json', () => {
  const names = Object.keys(flows) as Name[]
  let api: TestApi
  let folder: string
  beforeAll(async () => {
    api = await startApi()
    const cache = join(generators, 'node_modules', '.cache')
    await mkdir(cache, { recursive: true })
    folder = await mkdtemp(join(cache, 'clients-'))
    const document = await (await fetch(`${api.base}/api/openapi.json`)).text()
    await writeFile(join(folder, 'openapi.json'), document)
    for (const name of names) await mkdir(join(folder, name))
    await Promise.all(names.map((name) => writeClient(name, join(folder, name), api.base)))
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it('compile under strict', () => {
    expect(findProblems(names.map((name) => join(folder, name, 'flow.ts')))).toEqual([])
  })

  it.each(names)('%s completes a flow', async (name) => {
    const outfile = join(folder, `${name}.mjs`)
    const entry = join(folder, name, 'flow.ts')
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' })
    const flow = (await import(outfile)) as { run: (base: string, name: string) => Promise<unknown> }
    expect(await flow.run(api.base, name)).toEqual({
      titles: ['Two', 'One'],
      stale: 'PRECONDITION_FAILED',
      status: 'archived',
      deleted: 204,
    })
  })
})
