import octokitExamples from '@octokit/webhooks-examples' with { type: 'json' }
import { createMemoryInbox, createGateway, staticSecrets } from '@sallyport/webhooks'
import { testProvider } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { secret, send, toBytes } from '../../test/send.ts'
import { samples } from './codehost.samples.ts'
import { codehost } from './codehost.ts'

interface Example {
  readonly name: string
  readonly examples: readonly Readonly<Record<string, unknown>>[]
}

const examples = (octokitExamples as unknown as readonly Example[]).flatMap(({ name, examples }) =>
  examples.map((body, index) => ({ title: `${name} ${index}`, event: name, body })),
)
const isOurs = ({ event, body }: (typeof examples)[number]): boolean =>
  (event === 'workflow_run' && body['action'] === 'completed') ||
  (event === 'package' && body['action'] === 'published')

const sendAs = (body: unknown, event?: string) =>
  send(codehost, body, { headers: event === undefined ? {} : { 'x-github-event': event } })
const toData = async (body: unknown) => (await send(codehost, body)).events[0]?.data
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

describe.each([
  ['as JSON', undefined],
  ['as a form', (json: string) => toBytes(new URLSearchParams({ payload: json }).toString())],
] as const)('sent %s', (_, encode) => {
  testProvider(runner, {
    provider: codehost,
    samples: samples.samples(),
    ignored: ['push', 'star', 'workflow_job'].map((event) => ({
      headers: { 'x-github-event': event },
      body: examples.find((one) => one.event === event)?.body,
    })),
    ...(encode && { encode }),
  })
})

it('has the limit and the retries of GitHub, and queues completed runs', () => {
  expect(codehost).toMatchObject({
    ...{ resends: false, bodyLimit: 25 * 1024 * 1024, queueable: ['workflow_run.completed'] },
  })
})

it.each(['', 'payload', 'Payload=%7B%7D', 'other=1&payload=%7B%7D', 'payload=%7B%7', 'payload=', '{"a":1'])(
  'rejects a body that is neither JSON nor a form as INVALID_JSON: %s',
  (text) => {
    expect(() => codehost.parse?.(toBytes(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON', status: 400 }) as Error,
    )
  },
)

describe('the examples of GitHub', slowTest, () => {
  it('yield events of the supported kinds, with and without their header', async () => {
    expect(examples.filter(isOurs)).toHaveLength(6)
    expect(examples.length).toBeGreaterThan(300)
    for (const example of examples) {
      const { title, event, body } = example
      const expected = isOurs(example) ? 'accepted' : 'ignored'
      // The last three name no event.
      for (const header of [event, undefined, '', 'package, package', 'toString'])
        expect([title, header, (await sendAs(body, header)).outcome]).toEqual([title, header, expected])
    }
  })

  it('are quarantined under the header of another supported event', async () => {
    for (const { title, event, body } of examples) {
      for (const name of ['workflow_run', 'package', 'registry_package'].filter((one) => one !== event))
        expect((await sendAs(body, name)).outcome, `${title} as ${name}`).toBe('quarantined')
    }
  })

  it('are ignored under the header of an unsupported event', async () => {
    for (const { title, body } of examples.filter(isOurs)) {
      for (const name of ['push', 'projects_v2_item', 'constructor'])
        expect((await sendAs(body, name)).outcome, title).toBe('ignored')
    }
  })
})

// Regression: operators saw only that the delivery could not be normalized.
it('names the event and the field of a delivery in quarantine', async () => {
  const details = { workflow_run: 'workflow_run other_event', package: 'version_id invalid_type' }
  for (const [event, reasonDetail] of Object.entries(details)) {
    const inbox = createMemoryInbox()
    const secrets = staticSecrets({ codehost: [secret] })
    const gateway = createGateway({ providers: [codehost], secrets, inbox })
    const body = toBytes(pkg({ id: null }))
    const signed = await codehost.signature.sign({ method: 'POST', headers: new Headers(), body }, secret, 0)
    await gateway.handle({
      ...{ method: 'POST', provider: 'codehost' },
      headers: new Headers({ ...signed, 'x-github-event': event }),
      readBody: async (sink) => {
        sink.push(body)
      },
    })
    expect(await inbox.list({ limit: 1 })).toMatchObject([{ reasonDetail }])
  }
})

describe('workflow_run.completed', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await sendAs(completed, 'workflow_run')
    expect(events).toMatchObject([
      {
        id: 'codehost:workflow_run.completed:289782451:1',
        subject: 'octo-org/octo-repo/actions/runs/289782451',
        ts: Date.parse('2020-10-05T16:33:49Z'),
      },
    ])
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Codertocat",
        "branch": "master",
        "completed_at": "2020-10-05T16:33:49.000Z",
        "conclusion": "success",
        "created_at": "2020-10-05T16:33:24.000Z",
        "pull_requests": [
          2,
        ],
        "repository": "octo-org/octo-repo",
        "run_attempt": 1,
        "run_id": "289782451",
        "run_number": 163,
        "sha": "3484a3fb816e0859fd6e1cea078d76385ff50625",
        "started_at": "2020-10-05T16:33:49.000Z",
        "title": "ci(action): update actions/setup-node digest to 8c91899",
        "trigger": "repository_dispatch",
        "url": "https://github.com/octo-org/octo-repo/actions/runs/289782451",
        "workflow": "test",
        "workflow_path": ".github/workflows/test.yml",
      }
    `)
  })

  it('is a new event for every attempt', async () => {
    const again = changed(completed, ['workflow_run', 'run_attempt'], { to: 2 })
    expect((await sendAs(again)).events[0]?.id).toBe('codehost:workflow_run.completed:289782451:2')
  })

  it('is not there before the run is completed', async () => {
    for (const action of ['requested', 'in_progress', 'toString', undefined, 1])
      expect((await sendAs({ ...run(), action }, 'workflow_run')).outcome).toBe('ignored')
  })

  it.each(['deployment', 'deployment_status', 'deployment_callback_url', 'check_run', 'workflow_job'])(
    'is another event next to %s',
    async (name) => {
      for (const value of [{}, null, 'https://example.com', []])
        expect((await sendAs(run({}, { [name]: value }))).outcome).toBe('ignored')
    },
  )

  it.each([
    [{ workflow: { name: 'CI', path: 'a.yml' } }, { name: 'ci', path: 'b.yml' }, 'CI', 'a.yml'],
    [{}, { name: 'ci', path: 'b.yml' }, 'ci', 'b.yml'],
    [{ workflow: { path: 'a.yml' } }, {}, 'a.yml', 'a.yml'],
    [{}, {}, 'workflow', null],
  ])('next to %j with %j belongs to workflow %s', async (beside, change, workflow, workflow_path) => {
    expect(await toData(run(change, beside))).toMatchObject({ workflow, workflow_path })
  })

  it('has the actor of the attempt, else of the run, else of the sender', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((login) => ({ login }))
    const sender = { sender: c }
    expect(await toData(run({ triggering_actor: a, actor: b }, sender))).toMatchObject({ actor: 'a' })
    expect(await toData(run({ triggering_actor: {}, actor: b }, sender))).toMatchObject({ actor: 'b' })
    expect(await toData(run({}, sender))).toMatchObject({ actor: 'c' })
  })

  it('requires only the identifying fields of a delivery', slowTest, () => {
    const fields = ['run_attempt', 'id'].map((name) => `workflow_run.${name}`)
    expect(
      requiredFields(codehost, { ...samples.sample('workflow_run.completed'), body: run() }).toSorted(),
    ).toEqual(['action', 'repository', 'repository.full_name', 'workflow_run', ...fields].sort())
  })
})
