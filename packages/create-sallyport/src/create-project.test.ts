import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { checkName, choices, choose } from './choices.ts'
import { createProject } from './create-project.ts'

const parent = mkdtempSync(join(tmpdir(), 'create-sallyport-'))
afterAll(() => {
  rmSync(parent, { recursive: true })
})

const read = (...path: readonly string[]) => readFileSync(join(parent, ...path), 'utf8')
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
    readonly devDependencies: Readonly<Record<string, string>>
  }

const projects = choices.kind.flatMap((kind) =>
  choices.database.flatMap((database) =>
    choices.framework.map((framework) => ({
      ...{ kind, database, framework },
      name: `${kind}-${database}-${framework}`,
    })),
  ),
)

describe.each(projects)('$name', ({ name, ...options }) => {
  const folder = join(parent, name)
  createProject(folder, { ...options, name })
  const { dependencies, devDependencies } = readManifest(folder)

  it('declares every package that it imports, and no other', () => {
    const getImports = (pattern: string) => [
      ...new Set(
        globSync(pattern, { cwd: folder })
          .flatMap((file) => [...read(name, file).matchAll(/^import.* from '([^.'][^']*)'/gm)])
          .map(([, specifier = '']) => specifier)
          .filter((specifier) => !specifier.startsWith('node:'))
          .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''),
      ),
    ]
    const imported = getImports('src/*.ts')
    // Peers of @sallyport/sql and @sallyport/providers.
    const peers = ['better-sqlite3', 'pg', 'zod']
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(imported))
    const declared = [...imported, ...peers]
    expect(declared).toEqual(expect.arrayContaining(Object.keys(dependencies)))
    const all = Object.keys({ ...dependencies, ...devDependencies })
    expect(all).toEqual(expect.arrayContaining(getImports('{src,test}/*.ts')))
  })

  it('has the versions of the repository', () => {
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      const { version } = readManifest(join(repository, 'node_modules', dependency))
      expect(range, dependency).toBe(`^${version}`)
    }
  })
})

it('writes the name into the files, and new secrets into a private file', () => {
  createProject(join(parent, 'shop'), { ...projects[0]!, name: 'shop' })
  expect(read('shop', 'README.md')).toMatch(/^# shop\n/)
  expect(
    globSync('**/*.*', { cwd: join(parent, 'shop') })
      .map((path) => read('shop', path))
      .join(''),
  ).not.toContain('my-app')
  const secrets = [...read('shop', '.env').matchAll(/SECRET.*=(.{43})$/gm)].map(([, secret]) => secret)
  expect(new Set(secrets).size).toBe(2)
  expect(read('shop', '.env.example')).toMatch(/^JWT_SECRET=$/m)
  expect(read('shop', '.gitignore')).toContain('.env\n')
  expect(statSync(join(parent, 'shop', '.env')).mode & 0o777).toBe(0o600)
})

it('changes no folder that has files', () => {
  const options = { ...projects[0]!, name: 'kept' }
  createProject(join(parent, 'kept'), options)
  const before = read('kept', '.env')
  expect(() => {
    createProject(join(parent, 'kept'), options)
  }).toThrow('is not empty')
  expect(read('kept', '.env')).toBe(before)
})

it.each(['', '.', '..', '../app', 'a/b', '/tmp/app', 'My App', '-app', '@scope/app', 'a'.repeat(101)])(
  'refuses the name %j',
  (name) => {
    expect(() => checkName(name)).toThrow('The name consists of')
  },
)

it('refuses an unknown choice', () => {
  expect(() => choose('framework', 'koa')).toThrow('--framework is one of fastify, express, hono, node')
})

describe('the command', () => {
  const command = fileURLToPath(new URL('main.ts', import.meta.url))
  const run = (...options: readonly string[]) =>
    execFileSync(process.execPath, [command, ...options], { cwd: parent, encoding: 'utf8', stdio: 'pipe' })

  it('takes defaults without a terminal, and prints the next steps', () => {
    expect(run('first', '--framework', 'hono')).toContain('cd first\n  npm install')
    expect(read('first', 'src', 'server.ts')).toContain("from 'hono'")
    expect(read('first', 'src', 'database.ts')).toContain('openSqlite')
  })

  it('creates programs that say which settings they need', () => {
    run('third', '--kind', 'webhooks', '--framework', 'node')
    const main = read('third', 'src', 'main.ts').replaceAll(/^import .*\n/gm, '')
    const evaluate = () =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', main], { env: {}, stdio: 'pipe' })
    expect(evaluate).toThrow('Set DATABASE_URL and WEBHOOK_SECRET_GITHUB, as in .env.example')
  })

  it('fails for a wrong option, and writes nothing', () => {
    expect(() => run('second', '--kind', 'graphql')).toThrow('--kind is one of both, api, webhooks')
    expect(() => read('second', 'package.json')).toThrow('ENOENT')
  })
})
