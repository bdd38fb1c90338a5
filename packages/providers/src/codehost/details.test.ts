import { describe, expect, it } from 'vitest'
import { createMessage, send } from '../../test/send.ts'
import { codehost } from './index.ts'

const toData = async (body: unknown) => (await send(codehost, body)).events[0]?.data
const announce = (body: unknown) => createMessage(codehost, body)

const run = (change: object = {}, beside: object = {}) => ({
  action: 'completed',
  repository: { full_name: 'o/r' },
  workflow_run: { id: 1, run_attempt: 2, ...change },
  ...beside,
})

it('sets the body limit of GitHub and queues completed runs', () => {
  expect(codehost.bodyLimit).toBe(25 * 1024 * 1024)
  expect(codehost.queueable).toEqual(['workflow_run.completed'])
})

it('rejects a form with two fields', () => {
  for (const text of ['payload="a&b=c"', 'payload=%22a&b%22'])
    expect(() => codehost.parse?.(new TextEncoder().encode(text))).toThrow(/JSON/)
})

describe('a run', () => {
  it.each([
    [{ workflow: { name: 'CI', path: 'a.yml' } }, { name: 'ci', path: 'b.yml' }, 'CI', 'a.yml'],
    [{}, { name: 'ci', path: 'b.yml' }, 'ci', 'b.yml'],
    [{ workflow: { path: 'a.yml' } }, {}, 'a.yml', 'a.yml'],
    [{}, {}, 'workflow', null],
  ])('next to %j with %j belongs to workflow %s', async (beside, change, workflow, workflow_path) => {
    expect(await toData(run(change, beside))).toMatchObject({
      workflow,
      workflow_path,
    })
  })

  it('has the actor of the attempt, else of the run, else of the sender', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((login) => ({ login }))
    const sender = { sender: c }
    expect(await toData(run({ triggering_actor: a, actor: b }, sender))).toMatchObject({ actor: 'a' })
    expect(await toData(run({ triggering_actor: {}, actor: b }, sender))).toMatchObject({ actor: 'b' })
    expect(await toData(run({}, sender))).toMatchObject({ actor: 'c' })
  })

  it('has different times of creation, start and completion', async () => {
    const times = {
      created_at: '2025-01-01',
      run_started_at: '2025-01-02',
      updated_at: '2025-01-03',
    }
    expect(await toData(run(times))).toMatchObject({
      created_at: '2025-01-01T00:00:00.000Z',
      started_at: '2025-01-02T00:00:00.000Z',
      completed_at: '2025-01-03T00:00:00.000Z',
    })
  })

  it.each([
    'deployment',
    'deployment_status',
    'deployment_review',
    'deployment_callback_url',
    'check_run',
    'check_suite',
    'workflow_job',
    'workflow_job_run',
    'workflow_job_runs',
  ])('next to %s is not an event', async (name) => {
    for (const value of [{}, null, 'https://example.com', []])
      expect((await send(codehost, run({}, { [name]: value }))).outcome).toBe('ignored')
  })

  it('is announced with all its details', async () => {
    const known = {
      run_number: 5,
      display_title: `Fix\n${'x'.repeat(300)}`,
      head_branch: 'main',
      head_sha: '0123456789',
      actor: { login: 'alice' },
      event: 'push',
      html_url: 'https://github.com/o/r/actions/runs/1',
    }
    expect(await announce(run(known))).toMatchObject({
      text: `Fix ${'x'.repeat(295)}…\nRun #5, attempt 2 on main at 0123456, started by alice (push)`,
      links: [{ label: 'Workflow run', url: 'https://github.com/o/r/actions/runs/1' }],
    })
  })

  it.each([
    ['startup_failure', 'could not start', 'error'],
    ['stale', 'went stale', 'warning'],
    ['skipped', 'was skipped', 'info'],
  ])('with conclusion %s is announced as %s with severity %s', async (conclusion, words, severity) => {
    expect(await announce(run({ conclusion, name: 'a\nb' }))).toMatchObject({
      title: `o/r: a b ${words}`,
      severity,
    })
  })
})
