import { describe, expect, it } from 'vitest'
import { createMessage, send } from '../../test/send.ts'
import { samples } from './codehost.samples.ts'
import { codehost } from './codehost.ts'

const toData = async (body: unknown) => (await send(codehost, body)).events[0]?.data
const announce = (body: unknown) => createMessage(codehost, body)

const completed = samples.sample('workflow_run.completed').body
const run = (change: object = {}, beside: object = {}) => ({
  ...{ action: 'completed', repository: { full_name: 'o/r' } },
  workflow_run: { id: 1, run_attempt: 2, ...change },
  ...beside,
})
const pkg = (version: object | null = {}, change: object = {}, beside: object = {}) => ({
  action: 'published',
  package: { id: 3, name: 'pack', package_version: version && { id: 4, ...version }, ...change },
  ...beside,
})

describe('notify', () => {
  it.each([
    ['success', 'succeeded', 'info'],
    ['failure', 'failed', 'error'],
    ['timed_out', 'timed out', 'error'],
    ['startup_failure', 'could not start', 'error'],
    ['cancelled', 'was cancelled', 'warning'],
    ['action_required', 'needs an action', 'warning'],
    ['stale', 'went stale', 'warning'],
    ['skipped', 'was skipped', 'info'],
    ['a word of tomorrow', 'completed', 'info'],
    [null, 'completed', 'info'],
  ])('announces a run with conclusion %s as %s with %s', async (conclusion, words, severity) => {
    const title = `o/r: a b ${words}`
    expect(await announce(run({ conclusion, name: 'a\nb' }))).toMatchObject({ title, severity })
  })

  it('announces a run with all its details, and with none', async () => {
    const url = 'https://github.com/o/r/actions/runs/1'
    const known = {
      ...{
        run_number: 5,
        display_title: `Fix\n${'x'.repeat(300)}`,
        head_branch: 'main',
        head_sha: '0123456789',
      },
      ...{ actor: { login: 'alice' }, event: 'push', html_url: url },
    }
    expect(await announce(run(known))).toMatchObject({
      text: `Fix ${'x'.repeat(295)}…\nRun #5, attempt 2 on main at 0123456, started by alice (push)`,
      links: [{ label: 'Workflow run', url }],
    })
    expect(await announce(run())).toMatchObject({ text: 'Run, attempt 2, started', links: [] })
  })

  it('announces a package by its truncated tag, else its version', async () => {
    const tagged = { version: '1', container_metadata: { tag: { name: 'latest' } } }
    expect(await announce(pkg(tagged, { name: 'a\nb' }))).toMatchObject({
      title: 'Package: a b latest published',
      text: 'A new version of the package package',
    })
    const title = `Package: pack ${'9'.repeat(39)}… published`
    expect((await announce(pkg({ version: '9'.repeat(41) })))?.title).toBe(title)
  })

  it('marks a manual test and shows its payload only if it matches its kind', async () => {
    const shown = await announce({ type: 'workflow_run.completed', payload: await toData(completed) })
    expect(shown?.title).toBe('Test: octo-org/octo-repo: test succeeded')
    const hidden = await announce({ type: 'package.published', payload: { package: 'spoofed' } })
    expect(hidden?.title).toBe('Test: codehost/package.published')
    expect(JSON.stringify(hidden)).not.toContain('spoofed')
  })
})
