import octokitExamples from '@octokit/webhooks-examples' with { type: 'json' }
import { sign as octokitSign, verify as octokitVerify } from '@octokit/webhooks-methods'
import type { Inbox, InternalEvent, Message, Publisher } from '@sallyport/webhooks'
import { createGateway, memoryInbox, staticSecrets } from '@sallyport/webhooks'
import { testProvider } from '@sallyport/webhooks/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slowTest, runner } from '../../test/runner.ts'
import { codehost, createCodehost } from './index.ts'
import { sample, samples } from './samples.ts'

type Json = Record<string, unknown>

interface Example {
  readonly name: string
  readonly examples: readonly Json[]
}

const examples = (octokitExamples as unknown as readonly Example[]).flatMap(({ name, examples }) =>
  examples.map((body, index) => ({ title: `${name} ${index}`, event: name, body })),
)

const secret = 'the secret of the webhook'
const encoder = new TextEncoder()

/** Encodes JSON like GitHub's default content type: URI.encode_www_form keeps these characters and writes a space as a plus. */
const asForm = (json: string): Uint8Array =>
  encoder.encode(
    `payload=${encodeURIComponent(json)
      .replace(/[!'()~]/g, percent)
      .replaceAll('%20', '+')}`,
  )
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Sends a body through a gateway, signed by GitHub's library. Returns the published events. */
async function send(body: string | Uint8Array, headers: Record<string, string> = {}, inbox?: Inbox) {
  const events: InternalEvent[] = []
  const publisher: Publisher = {
    publish: async (batch) => {
      events.push(...batch)
      return batch.map(() => ({ ok: true as const }))
    },
  }
  const gateway = createGateway({
    providers: [codehost],
    secrets: staticSecrets({ codehost: [secret] }),
    ...(inbox ? { inbox } : { publisher }),
  })
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const response = await gateway.handle({
    method: 'POST',
    provider: 'codehost',
    headers: new Headers({ ...headers, 'x-hub-signature-256': await octokitSign(secret, text) }),
    readBody: async (sink) => {
      sink.push(bytes)
    },
  })
  const { data } = JSON.parse(response.body) as { data?: { status: string } }
  // Quarantine needs an inbox; without one the gateway answers 503.
  const outcome = data?.status ?? (response.status === 503 ? 'quarantined' : String(response.status))
  return { outcome, events }
}

const sendJson = (body: unknown, event?: string, inbox?: Inbox) =>
  send(JSON.stringify(body), event === undefined ? {} : { 'x-github-event': event }, inbox)

const run = () => structuredClone(sample('workflow_run.completed').body) as Json & { workflow_run: Json }
const pkg = () =>
  structuredClone(sample('package.published').body) as Json & { package: Json & { package_version: Json } }

const ours = ({ event, body }: (typeof examples)[number]): boolean =>
  (event === 'workflow_run' && body['action'] === 'completed') ||
  (event === 'package' && body['action'] === 'published')

describe.each([
  ['as JSON', undefined],
  ['as a form', asForm],
] as const)('sent %s', (_, encode) => {
  testProvider(runner, {
    provider: codehost,
    samples: samples(),
    ignored: examples
      .filter((example) => !ours(example))
      .map(({ event, body }) => ({ headers: { 'x-github-event': event }, body })),
    ...(encode && { encode }),
  })
})

describe('the examples of GitHub', slowTest, () => {
  it('exist in a large number', () => {
    expect(examples.length).toBeGreaterThan(300)
    expect(examples.filter(ours).map(({ title }) => title)).toEqual([
      'package 0',
      'package 1',
      'package 2',
      'workflow_run 0',
      'workflow_run 1',
      'workflow_run 2',
    ])
  })

  it('yield events of the supported kinds, with and without their header', async () => {
    for (const example of examples) {
      const { title, event, body } = example
      const expected = ours(example) ? 'accepted' : 'ignored'
      expect((await sendJson(body, event)).outcome, title).toBe(expected)
      expect((await sendJson(body)).outcome, `${title} without a header`).toBe(expected)
    }
  })

  it('are quarantined under the header of another supported event', async () => {
    for (const { title, event, body } of examples) {
      for (const name of ['workflow_run', 'package', 'registry_package'].filter((one) => one !== event)) {
        expect((await sendJson(body, name)).outcome, `${title} as ${name}`).toBe('quarantined')
      }
    }
  })

  // Regression: operators saw only that the delivery could not be normalized.
  it.each([
    ['workflow_run invalid_type', 'workflow_run', { action: 'completed', workflow_run: null }],
    ['package invalid_type', 'package', { action: 'published' }],
    ['(root) invalid_type', 'registry_package', []],
    ['check_run unrecognized_keys', 'workflow_run', { ...run(), check_run: null }],
    ['workflow_run unrecognized_keys', 'package', { ...run(), package: {} }],
    ['package unrecognized_keys', 'registry_package', { package: {}, registry_package: {} }],
  ])('in quarantine name the field: %s under the header %s', async (detail, event, body) => {
    const inbox = memoryInbox()
    expect((await sendJson(body, event, inbox)).outcome).toBe('quarantined')
    expect(await inbox.list({ limit: 1 })).toMatchObject([{ reasonDetail: detail }])
  })

  it('are ignored under the header of an unsupported event', async () => {
    for (const { title, body } of examples.filter(ours)) {
      expect((await sendJson(body, 'push')).outcome, title).toBe('ignored')
      expect((await sendJson(body, 'projects_v2_item')).outcome, title).toBe('ignored')
      expect((await sendJson(body, 'constructor')).outcome, title).toBe('ignored')
    }
  })

  // Regression: deliveries with such a header were ignored and thus lost.
  it.each(['', 'workflow_run, workflow_run', 'package, package', 'push, push', 'toString', '%'])(
    'are what their payload says under a header that names no event: %j',
    async (header) => {
      for (const example of examples) {
        const expected = ours(example) ? 'accepted' : 'ignored'
        expect((await sendJson(example.body, header)).outcome, example.title).toBe(expected)
      }
    },
  )
})

describe('signatures', slowTest, () => {
  it('match an independent implementation', async () => {
    const delivery = (body: string) => ({
      method: 'POST',
      headers: new Headers(),
      body: encoder.encode(body),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ minLength: 1 }),
        async (body, key) => {
          const { 'x-hub-signature-256': signed = '' } = await codehost.signature.sign(delivery(body), key, 0)
          expect(signed).toBe(await octokitSign(key, body))
          expect(await octokitVerify(key, body, signed)).toBe(true)
        },
      ),
    )
  })

  it('use the configured header', async () => {
    const forge = createCodehost({ name: 'forge', header: 'X-Forge-Signature' })
    expect(forge.name).toBe('forge')
    expect(forge.signature.headers).toEqual(['x-forge-signature'])
    expect(codehost.signature.headers).toEqual(['x-hub-signature-256'])
  })
})

describe('bodies', () => {
  it('are read equally from a form and from JSON', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(codehost.parse?.(asForm(json))).toEqual(codehost.parse?.(encoder.encode(json)))
      }),
    )
  })

  it('accept lower-case escapes and a byte order mark', () => {
    expect(codehost.parse?.(encoder.encode('payload=%7b%22a%22%3a%22+%2B%22%7d'))).toEqual({ a: ' +' })
    expect(codehost.parse?.(encoder.encode('payload=%EF%BB%BF{}'))).toEqual({})
  })

  it.each([
    '',
    'payload=',
    'payload',
    'Payload=%7B%7D',
    'payload=%7B%7D&payload=%7B%7D',
    'payload=%7B%7D&other=1',
    'other=1&payload=%7B%7D',
    'payload=%7B%7',
    'payload=%7B%7G',
    'payload=%7B%',
    'payload=%7B%+7D',
    'payload={} ',
    'payload= {}',
    'payload=%22%FF%22',
    'payload=%22%ED%A0%80%22',
    'payload=%22%C0%80%22',
    'payload=%22ü%22',
    'payload=%7B%7D\n',
    `payload=${'%5B'.repeat(101)}${'%5D'.repeat(101)}`,
    '{"a":1',
  ])('are rejected as INVALID_JSON: %s', (text) => {
    expect(() => codehost.parse?.(encoder.encode(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON', status: 400 }) as Error,
    )
  })
})

describe('workflow_run.completed', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await sendJson(run(), 'workflow_run')
    expect(events).toMatchObject([
      {
        id: 'codehost:workflow_run.completed:289782451:1',
        name: 'codehost/workflow_run.completed',
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
    const again = run()
    again.workflow_run['run_attempt'] = 2
    expect((await sendJson(again)).events[0]?.id).toBe('codehost:workflow_run.completed:289782451:2')
  })

  it.each(['requested', 'in_progress', 'toString', undefined, 1])(
    'is not yet there when the action is %s',
    async (action) => {
      expect((await sendJson({ ...run(), action }, 'workflow_run')).outcome).toBe('ignored')
    },
  )

  it('accepts missing optional fields', async () => {
    const { id, run_attempt } = run().workflow_run
    const bare = {
      action: 'completed',
      repository: { full_name: 'o/r' },
      workflow_run: { id, run_attempt, pull_requests: [null, { number: 'x' }, { number: 3 }] },
    }
    const { outcome, events } = await sendJson(bare)
    expect(outcome).toBe('accepted')
    expect(events[0]?.data).toMatchObject({
      workflow: 'workflow',
      conclusion: null,
      actor: null,
      sha: null,
      url: null,
      run_number: null,
      pull_requests: [3],
    })
    expect(codehost.notify?.(events[0] as never)).toMatchObject({
      title: 'o/r: workflow completed',
      text: 'Run, attempt 1, started',
      links: [],
    })
  })

  it('is quarantined without its required fields', async () => {
    for (const name of ['id', 'run_attempt']) {
      const lacking = run()
      lacking.workflow_run[name] = null
      expect((await sendJson(lacking)).outcome, name).toBe('quarantined')
    }
    expect((await sendJson({ ...run(), repository: undefined })).outcome).toBe('quarantined')
  })
})

describe('package.published', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await sendJson(pkg(), 'package')
    expect(events).toMatchObject([
      {
        id: 'codehost:package.published:24147',
        name: 'codehost/package.published',
        subject: 'Codertocat/hello-world-npm/packages/10696',
        ts: Date.parse('2019-05-09T23:28:29Z'),
      },
    ])
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Codertocat",
        "install_command": "npm install @Codertocat/@1.0.0",
        "owner": "Codertocat",
        "package": "hello-world-npm",
        "package_id": "10696",
        "package_type": "npm",
        "published_at": "2019-05-09T23:28:29.000Z",
        "repository": "Codertocat/hello-world-npm",
        "sha": "6c62fb45fe66bfb1ea9a66abc38f6a0cc974292b",
        "tag": null,
        "url": "https://github.com/Codertocat/hello-world-npm/packages/10696?version=1.0.0",
        "version": "1.0.0",
        "version_id": "24147",
      }
    `)
  })

  it('is the same event under both names', async () => {
    const { package: one, ...rest } = pkg()
    const first = await sendJson(pkg(), 'package')
    const second = await sendJson({ ...rest, registry_package: one }, 'registry_package')
    expect(second.outcome).toBe('accepted')
    expect(second.events[0]).toMatchObject({ id: first.events[0]?.id, data: first.events[0]?.data })
  })

  it('ignores an updated package', async () => {
    expect((await sendJson({ ...pkg(), action: 'updated' }, 'package')).outcome).toBe('ignored')
  })

  it('ignores the zero time, and accepts a package without a repository', async () => {
    const container = pkg()
    delete container['repository']
    Object.assign(container.package, {
      created_at: '0001-01-01T00:00:00Z',
      updated_at: null,
      package_type: 'CONTAINER',
    })
    Object.assign(container.package.package_version, {
      version: '',
      created_at: '0001-01-01T00:00:00Z',
      updated_at: '0001-01-01T00:00:00Z',
      container_metadata: { tag: { name: '3.2.1' } },
    })
    const before = Date.now()
    const { events } = await sendJson(container, 'package')
    expect(events[0]?.ts).toBeGreaterThanOrEqual(before)
    expect(events[0]?.subject).toBe('Codertocat/packages/10696')
    expect(events[0]?.data).toMatchObject({
      repository: null,
      package_type: 'container',
      tag: '3.2.1',
      version: expect.stringMatching(/^sha256:/) as string,
      published_at: null,
    })
  })

  // Regression: such a delivery was quarantined, although GitHub's types allow it.
  it('ignores a package without a version', async () => {
    const none = pkg() as Json & { package: Json }
    none.package['package_version'] = null
    expect((await sendJson(none, 'package')).outcome).toBe('ignored')
  })

  it.each([
    ['is missing', undefined],
    ['has no id', { version: '1.0.0' }],
    ['is of another shape', 'v1'],
  ])('is quarantined when its version %s', async (_, version) => {
    const lacking = pkg() as Json & { package: Json }
    lacking.package['package_version'] = version
    expect((await sendJson(lacking, 'package')).outcome).toBe('quarantined')
  })
})

describe('notify', () => {
  const notify = (event: InternalEvent): Message | undefined => codehost.notify?.(event as never)

  it.each([
    ['success', 'info', 'succeeded'],
    ['failure', 'error', 'failed'],
    ['timed_out', 'error', 'timed out'],
    ['cancelled', 'warning', 'was cancelled'],
    ['action_required', 'warning', 'needs an action'],
    ['a word of tomorrow', 'info', 'completed'],
    [null, 'info', 'completed'],
  ])('announces a run with conclusion %s as %s with %s', async (conclusion, severity, words) => {
    const body = run()
    body.workflow_run['conclusion'] = conclusion
    const { events } = await sendJson(body)
    expect(notify(events[0]!)).toMatchObject({ title: `octo-org/octo-repo: test ${words}`, severity })
  })

  it('announces a package', async () => {
    expect(notify((await sendJson(pkg())).events[0]!)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Package",
            "url": "https://github.com/Codertocat/hello-world-npm/packages/10696?version=1.0.0",
          },
        ],
        "severity": "info",
        "text": "A new version of the npm package by Codertocat from Codertocat/hello-world-npm
      npm install @Codertocat/@1.0.0",
        "title": "Codertocat/hello-world-npm: hello-world-npm 1.0.0 published",
      }
    `)
  })

  it('marks a manual test and shows its payload only if it matches its kind', async () => {
    const data = (await sendJson(run())).events[0]!.data
    const shown = await sendJson({ type: 'workflow_run.completed', payload: data })
    expect(notify(shown.events[0]!)?.title).toBe('Test: octo-org/octo-repo: test succeeded')
    const hidden = await sendJson({ type: 'package.published', payload: { package: 'spoofed' } })
    expect(notify(hidden.events[0]!)?.title).toBe('Test: codehost/package.published')
    expect(JSON.stringify(notify(hidden.events[0]!))).not.toContain('spoofed')
  })
})
