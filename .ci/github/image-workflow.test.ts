import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Step {
  readonly name?: string
  readonly run?: string
}

const run = promisify(execFile)
const path = new URL('../../.github/workflows/image.yml', import.meta.url)
const { jobs } = parse(await readFile(path, 'utf8')) as {
  readonly jobs: { readonly publish: { readonly if: string; readonly steps: readonly Step[] } }
}
const { if: condition, steps } = jobs.publish
const getScript = (name: string) => steps.find((step) => step.name === name)?.run ?? ''

const release = {
  conclusion: 'success',
  event: 'push',
  head_branch: 'main',
  head_repository: { full_name: 'owner/sallyport' },
}
// Comparisons and && of GitHub's expressions are those of JavaScript.
const isPublished = (workflowRun: object): unknown =>
  runInNewContext(condition, {
    github: { repository: 'owner/sallyport', event: { workflow_run: workflowRun } },
  })

it('publishes after a successful release of a push to main', () => {
  expect(isPublished(release)).toBe(true)
})

it.each([
  { conclusion: 'failure' },
  { event: 'pull_request' },
  { event: 'workflow_dispatch' },
  { head_branch: 'next' },
  { head_repository: { full_name: 'stranger/sallyport' } },
])('publishes nothing after a run with %j', (change) => {
  expect(isPublished({ ...release, ...change })).toBe(false)
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-image-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('accepts only a commit of main', async () => {
  const script = getScript('Check that the commit is on main')
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const git = async (...args: readonly string[]) =>
    (await run('git', [...author, ...args], { cwd: folder })).stdout.trim()
  const check = (REVISION: string) =>
    run('bash', ['-e', '-c', script], { cwd: folder, env: { PATH: process.env['PATH'], REVISION } })
  await git('init', '--quiet')
  await git('commit', '--quiet', '--allow-empty', '--message', 'one')
  const [onMain] = [await git('rev-parse', 'HEAD')]
  await git('commit', '--quiet', '--allow-empty', '--message', 'two')
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await check(onMain)
  await git('commit', '--quiet', '--allow-empty', '--message', 'three')
  await expect(check(await git('rev-parse', 'HEAD'))).rejects.toMatchObject({ code: 1 })
})

/** Runs the step that finds the version, with a registry that has no image. */
async function findVersion(version: string): Promise<string> {
  const output = join(folder, 'output')
  await mkdir(join(folder, 'packages/webhooks'), { recursive: true })
  await writeFile(join(folder, 'packages/webhooks/package.json'), JSON.stringify({ version }))
  await writeFile(output, '')
  for (const [program, script] of [
    ['npm', 'echo published'],
    ['docker', 'exit 1'],
  ] as const) {
    await writeFile(join(folder, program), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, program), 0o755)
  }
  const PATH = [folder, process.env['PATH']].join(':')
  const env = { PATH, GITHUB_OUTPUT: output, IMAGE: 'ghcr.io/owner/sallyport' }
  await run('bash', ['-e', '-c', getScript('Find out whether the version is published')], {
    cwd: folder,
    env,
  })
  return await readFile(output, 'utf8')
}

it.each(['1.2.3', '2.0.0-next.1'])('publishes the version %s', async (version) => {
  expect(await findVersion(version)).toBe(`version=${version}\nmissing=true\n`)
})

it.each(['1.2.3\nother=1', '1.2', '1.2.3;id', '1.2.3 --push', ''])(
  'rejects the version %j',
  async (version) => {
    await expect(findVersion(version)).rejects.toMatchObject({ code: 1 })
    expect(await readFile(join(folder, 'output'), 'utf8')).toBe('')
  },
)
