import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from './server-process.ts'

const bin = fileURLToPath(new URL('../bin', import.meta.url))
const server = 'examples/reference-server'
const sources = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'packages/one/package.json',
  'packages/one/tsconfig.json',
  'packages/one/tsup.config.ts',
  'packages/one/src/index.ts',
  'packages/one/src/deep/file.ts',
  `${server}/package.json`,
  `${server}/tsup.config.js`,
  `${server}/src/main.ts`,
]

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (path: string) => join(directory.path, path)
const write = async (path: string, text: string) => {
  await mkdir(join(at(path), '..'), { recursive: true })
  await writeFile(at(path), text)
}

/** Changes a file, if it is there, some seconds after the server was built, or before. */
async function touch(path: string, seconds: number): Promise<void> {
  const { mtimeMs } = await stat(at(`${server}/dist/main.js`))
  await utimes(at(path), mtimeMs / 1000 + seconds, mtimeMs / 1000 + seconds)
}

/** What `npm start` does, in a small workspace whose server says how often it was built. */
function start(user: { uid?: number; gid?: number } = {}): {
  status: number | null
  stdout: string
  stderr: string
} {
  const { PATH } = process.env
  const options = { env: { PATH }, encoding: 'utf8', ...user } as const
  return spawnSync(process.execPath, [at(`${server}/bin/start.js`)], options)
}

const manifest = '{ "type": "module", "scripts": { "build": "node build.js" } }'
const building = 'Building, because there was no build\n'
const anew = 'Building again, because the sources have changed\n'

const build = `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const builds = existsSync('builds') ? Number(readFileSync('builds', 'utf8')) + 1 : 1
writeFileSync('builds', String(builds))
mkdirSync('${server}/dist', { recursive: true })
writeFileSync('${server}/dist/main.js', \`process.stdout.write('build \${builds}')\`)
`

beforeAll(async () => {
  directory = await temporaryDirectory()
  await cp(bin, at(`${server}/bin`), { recursive: true })
  await write('build.js', build)
})
afterAll(() => directory[Symbol.asyncDispose]())
beforeEach(async () => {
  await write('node_modules/.bin/tsup', '')
  for (const path of sources) await write(path, path.endsWith('.json') ? manifest : '')
  await rm(at(`${server}/dist`), { recursive: true, force: true })
  await rm(at('builds'), { force: true })
  expect(start()).toMatchObject({ status: 0, stdout: 'build 1', stderr: building })
  for (const path of sources) await touch(path, -1)
})

describe('the build that npm start runs', () => {
  it('runs once', () => {
    expect(start()).toMatchObject({ status: 0, stdout: 'build 1' })
  })

  it.each(sources)('runs again when a source is newer: %s', async (path) => {
    // After "git pull" the server of before it was started, without a word.
    await touch(path, 1)
    expect(start()).toMatchObject({ status: 0, stdout: 'build 2', stderr: anew })
  })

  it('runs once more for a source with a future time', async () => {
    // Regression: each start rebuilt.
    await touch('packages/one/src/index.ts', 86_400.123)
    expect(start()).toMatchObject({ stdout: 'build 2', stderr: anew })
    expect(start()).toMatchObject({ stdout: 'build 2' })
    await touch('packages/one/src/index.ts', 0.01)
    expect(start()).toMatchObject({ stdout: 'build 3', stderr: anew })
  })

  it('does not depend on packages that are not built', async () => {
    await write('packages/tools/package.json', '{ "type": "module" }')
    await write('packages/tools/src/index.ts', '')
    await touch('packages/tools/src/index.ts', 1)
    await touch('packages/tools/package.json', 1)
    expect(start()).toMatchObject({ stdout: 'build 1' })
    await rm(at('packages/tools'), { recursive: true })
  })

  it('is used with a warning by a user who may not write it', async () => {
    // Regression: a server on a read-only checkout did not start, although it was built.
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    await chmod(directory.path, 0o755)
    await chmod(at(`${server}/dist`), 0o555)
    await chmod(at('packages/one'), 0o555)
    await touch('packages/one/src/index.ts', 1)
    const { status, stdout, stderr } = start(other)
    expect([status, stdout]).toEqual([0, 'build 1'])
    expect(stderr).toMatch(
      /^The build is older than its sources.+run "npm run build" as a user with write access\.\n$/,
    )
    await chmod(at(`${server}/dist`), 0o755)
    await chmod(at('packages/one'), 0o755)
  })

  it('does not depend on tests', async () => {
    await write('packages/one/src/index.test.ts', '')
    await touch('packages/one/src/index.test.ts', 1)
    expect(start()).toMatchObject({ stdout: 'build 1' })
  })

  it("does not depend on npm's own files", async () => {
    await write('node_modules/.package-lock.json', '{}')
    await touch('node_modules/.package-lock.json', 1)
    expect(start()).toMatchObject({ stdout: 'build 1' })
  })

  it('is used without sources or tools', async () => {
    await touch('packages/one/src/index.ts', 1)
    await rm(at('node_modules'), { recursive: true })
    expect(start()).toMatchObject({ stdout: 'build 1' })
    await write('node_modules/.bin/tsup', '')
    await rm(at('packages/one/src'), { recursive: true })
    await touch('packages/one/package.json', 1)
    expect(start()).toMatchObject({ stdout: 'build 1' })
  })

  it('is not used when a newer build fails', async () => {
    await write('build.js', 'process.exit(1)')
    await touch('packages/one/src/index.ts', 1)
    const { status, stdout, stderr } = start()
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The build failed: run "npm ci", then try again.')
    await write('build.js', build)
  })
})
