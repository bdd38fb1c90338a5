/**
 * Checks the projects of `npm create sallyport`: creates each combination from the packed package, installs all with the packed
 * packages, checks their types, runs their tests, and starts each. Run it with `npm run check:projects`; needs the build and
 * PostgreSQL.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { choices } from '../../packages/create-sallyport/src/choices.ts'
import { postgres } from '../../packages/test-support/src/services/postgres.ts'
import { installedVersion, installFolder, packPackages } from './installed.ts'

const run = promisify(execFile)

let since = performance.now()
function tell(line: string): void {
  process.stdout.write(`${line} (${((performance.now() - since) / 1000).toFixed(1)} s)\n`)
  since = performance.now()
}

const projects = choices.kind.flatMap((kind) =>
  choices.database.flatMap((database) =>
    choices.framework.map((framework) => ({
      kind,
      database,
      name: `${kind}-${database}-${framework}`,
      framework,
    })),
  ),
)
type Project = (typeof projects)[number]

const folder = mkdtempSync(join(tmpdir(), 'sallyport-projects-'))
try {
  await createProjects()
  tell(`Created ${projects.length} projects, and installed them`)
  const compiler = join(folder, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  tell('The types are right')
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const tests = await postgres.open()
  execFileSync(process.execPath, [vitest, 'run', '--isolate=false', '--reporter=dot'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: tests.connection.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await tests.close()
  tell('The tests pass')
  await Promise.all([startEach(projects.slice(0, 12)), startEach(projects.slice(12))])
  tell('Every project starts, answers and stops')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Creates the projects as workspaces of one folder, so that one installation has the dependencies of all. */
async function createProjects(): Promise<void> {
  const tarballs = packPackages(folder)
  const manifest = {
    ...{
      name: 'projects',
      private: true,
      type: 'module',
      workspaces: ['projects/*'],
      dependencies: tarballs,
    },
    // The same pin as in the repository, because the latest version may not install.
    overrides: { rollup: installedVersion('rollup') },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const config = {
    extends: './projects/api-sqlite-node/tsconfig.json',
    include: ['projects/*/src', 'projects/*/test'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  mkdirSync(join(folder, 'projects'))
  const tarball = tarballs['create-sallyport']?.replace('file:', '') ?? ''
  execFileSync('tar', ['-xzf', tarball], { cwd: folder })
  const command = join(folder, 'package/bin/create-sallyport.js')
  for (const { name, kind, database, framework } of projects) {
    const options = [
      '--name',
      name,
      '--kind',
      kind,
      '--database',
      database,
      '--framework',
      framework,
      '--yes',
    ]
    await run(process.execPath, [command, ...options], { cwd: join(folder, 'projects') })
  }
  rmSync(join(folder, 'package'), { recursive: true })
  installFolder(folder)
}

async function startEach(some: readonly Project[]): Promise<void> {
  for (const project of some) {
    const database = project.database === 'postgres' ? await postgres.open() : undefined
    await start(project, database?.connection.url ?? './data/test.db')
    await database?.close()
  }
}

/** Starts a project with the secrets of its `.env`, calls it as its README does, and stops it. */
async function start({ name, kind }: Project, databaseUrl: string): Promise<void> {
  const cwd = join(folder, 'projects', name)
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: '0' }
  const child = spawn(process.execPath, ['--env-file=.env', 'src/main.ts'], {
    ...{ cwd, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      ended.then(() => Promise.reject(new Error(`${name} does not start`))),
    ])) as [string]
    const { origin } = new URL(line)
    if (kind !== 'webhooks') await callApi(name, cwd, origin)
    if (kind !== 'api') {
      const command = join(folder, 'node_modules/sallyport/bin/sallyport.js')
      const options = ['send', 'github', 'push', '--url', `${origin}/webhooks/github`]
      const { stdout } = await run(process.execPath, ['--env-file=.env', command, ...options], { cwd })
      if (!stdout.includes('200 accepted')) throw new Error(`${name} answers a delivery with ${stdout}`)
    }
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`${name} ends with the code ${code}`)
  } finally {
    child.kill('SIGKILL')
  }
}

async function callApi(name: string, cwd: string, origin: string): Promise<void> {
  const { stdout } = await run(process.execPath, ['--env-file=.env', 'src/token.ts', 'ada'], { cwd })
  const headers = { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'Emma', author: 'Jane Austen' })
  const statuses = [
    (await fetch(`${origin}/api/docs`)).status,
    (await fetch(`${origin}/api/books`)).status,
    (await fetch(`${origin}/api/books`, { method: 'POST', headers, body })).status,
  ]
  if (statuses.join() !== '200,401,201') throw new Error(`${name} answers ${statuses.join()}`)
}
