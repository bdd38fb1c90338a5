import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from './server-process.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = 'examples/reference-server'
const source = `${server}/src/main.ts`
const lock = `${server}/dist/.building`

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (path: string) => join(directory.path, path)
const write = async (path: string, text: string) => {
  await mkdir(join(at(path), '..'), { recursive: true })
  await writeFile(at(path), text)
}

/** Begins what `npm start` does; the server says which build it is of, and loads the rest when it is asked to. */
function start(environment: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [at(`${server}/bin/start.js`)], { env: { PATH, ...environment } })
  let [output, errors] = ['', '']
  child.stdout.on('data', (text) => (output += String(text)))
  child.stderr.on('data', (text) => (errors += String(text)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }))
  return {
    child,
    ended,
    says: (text: string) => expect.poll(() => output + errors, { timeout: 20_000 }).toContain(text),
    async end() {
      child.stdin.end()
      return ended
    },
  }
}

const building = 'Building, because there was no build\n'
const builds = async () => Number(await readFile(at('builds'), 'utf8'))
const change = async () => {
  const { mtimeMs } = await stat(at(`${server}/dist/main.js`))
  await utimes(at(source), mtimeMs / 1000 + 1, mtimeMs / 1000 + 1)
}

// As tsup does it, with the server's own configuration.
const build = `import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import config from './${server}/tsup.config.js'
if (existsSync('broken')) throw new Error('of the build')
const builds = existsSync('builds') ? Number(readFileSync('builds', 'utf8')) + 1 : 1
writeFileSync('builds', String(builds))
if (config.clean) rmSync('${server}/dist', { recursive: true, force: true })
while (existsSync('hold')) await new Promise((resolve) => setTimeout(resolve, 10))
mkdirSync('${server}/dist', { recursive: true })
writeFileSync('${server}/dist/lazy-' + builds + '.js', 'process.stdout.write("all of ' + builds + '")')
writeFileSync('${server}/dist/main.js', \`
  process.stdout.write('build \${builds}, ')
  process.stdin.on('end', () => import('./lazy-\${builds}.js')).resume()\`)
`

beforeAll(async () => {
  directory = await temporaryDirectory()
  await cp(here('../bin'), at(`${server}/bin`), { recursive: true })
  await cp(here('../tsup.config.js'), at(`${server}/tsup.config.js`))
  await write('build.js', build)
  await write('node_modules/.bin/tsup', '')
  await write(source, '')
  const manifest = '{ "type": "module", "scripts": { "build": "node build.js" } }'
  for (const folder of ['', `${server}/`]) await write(`${folder}package.json`, manifest)
  await mkdir(at('packages'))
})
afterAll(() => directory[Symbol.asyncDispose]())
beforeEach(async () => {
  await rm(at(`${server}/dist`), { recursive: true, force: true })
  await rm(at('builds'), { force: true })
})

describe('concurrent starts in one checkout', () => {
  it('keep the files that a running server still has to load', async () => {
    // Its documents were answered 500 once another one had been started after a change.
    const first = start()
    await first.says('build 1')
    await change()
    expect(await start().end()).toMatchObject({
      code: 0,
      output: expect.stringMatching(/all of 2$/) as string,
    })
    expect(await first.end()).toMatchObject({ code: 0, output: expect.stringMatching(/all of 1$/) as string })
  })

  it('build once', async () => {
    // Each built, over the files of the others.
    await write('hold', '')
    const [first, ...others] = [start(), start(), start()]
    await Promise.race([first, ...others].map((one) => one.says('Building')))
    await expect.poll(builds).toBe(1)
    await rm(at('hold'))
    const ended = await Promise.all([first, ...others].map((one) => one.end()))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(ended.map(({ output }) => output.endsWith('build 1, all of 1'))).toEqual([true, true, true])
    expect(await builds()).toBe(1)
    await expect(stat(at(lock))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('wait for the build of another process, unless that process was killed', async () => {
    expect(await start().end()).toMatchObject({ code: 0 })
    await mkdir(at(lock))
    expect(await start().end()).toMatchObject({ code: 0, output: 'build 1, all of 1' })
    await expect(stat(at(lock))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the build that npm start runs', () => {
  it('does not get the options of the server', async () => {
    // Telemetry was looked for in every package that was built.
    await write('telemetry.mjs', `if (!process.argv[1]?.endsWith('start.js')) throw new Error('not here')`)
    const started = start({ NODE_OPTIONS: `--import ${at('telemetry.mjs')}` })
    expect(await started.end()).toMatchObject({ code: 0, errors: building })
  })

  it('reports why it cannot run', async () => {
    // It said "nullnull".
    const { code, errors } = await start({ PATH: at('nowhere') }).end()
    const failure = 'spawn npm ENOENT\nThe build failed: run "npm ci", then try again.\n'
    expect([code, errors]).toEqual([1, `${building}${failure}`])
  })

  it('reports its errors, and does not block the next build', async () => {
    await write('broken', '')
    const { code, errors } = await start().end()
    expect([code, errors]).toEqual([1, expect.stringContaining('Error: of the build')])
    await rm(at('broken'))
    expect(await start().end()).toMatchObject({ code: 0 })
  })
})
