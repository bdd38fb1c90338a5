import { emitterEventNames } from '@octokit/webhooks'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { send } from '../test/send.ts'
import { agreesWithBody, eventNames } from './github-events.ts'
import { github } from './services/github.ts'

interface Example {
  readonly name: string
  readonly examples: readonly Readonly<Record<string, unknown>>[]
}

/** Events whose bodies cannot be told apart from those of another event. */
const alike = [
  [
    'github_app_authorization',
    'installation',
    'organization',
    'public',
    'repository',
    'repository_import',
    'watch',
  ],
  ['dependabot_alert', 'code_scanning_alert', 'secret_scanning_alert', 'repository_vulnerability_alert'],
  ['team', 'team_add'],
  ['push', 'pull_request'],
]

const all = (examples as unknown as readonly Example[]).flatMap((event) =>
  event.examples.map((body, index) => ({ name: event.name, body, index })),
)

/** The members that the documentation of GitHub lists for the events without a published payload. */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  branch_protection_configuration: {},
  custom_property: { definition: {} },
  custom_property_values: { new_property_values: [], old_property_values: [] },
  deployment_protection_rule: { deployment_callback_url: 'https://api.github.com', deployment: {} },
  installation_target: { account: {}, changes: {}, installation: {} },
  issue_dependencies: { blocked_issue: {}, blocking_issue: {} },
  personal_access_token_request: { personal_access_token_request: {} },
  projects_v2: { projects_v2: {} },
  projects_v2_status_update: { projects_v2_status_update: {} },
  registry_package: { registry_package: {} },
  repository_advisory: { repository_advisory: {} },
  repository_ruleset: { repository_ruleset: {} },
  secret_scanning_alert: { alert: {} },
  secret_scanning_alert_location: { alert: {}, location: {} },
  secret_scanning_scan: { type: 'backfill', source: 'git' },
  security_and_analysis: { changes: {} },
  sub_issues: { sub_issue: {}, parent_issue: {} },
}

it('has hundreds of payloads of the service', () => {
  expect(all.length).toBeGreaterThan(270)
})

it('makes an event of every payload that octokit publishes', async () => {
  for (const { name, body, index } of all) {
    const { outcome, events } = await send(github, body, { headers: { 'x-github-event': name } })
    const action = typeof body['action'] === 'string' ? `.${body['action']}` : ''
    expect({ name, index, outcome, events: events.map((event) => event.name) }).toEqual({
      name,
      index,
      outcome: 'accepted',
      events: [`github/${name}${action}`],
    })
    expect(events[0]?.data).toEqual(body)
  }
})

it('makes an event of every event and action that octokit lists', () => {
  expect(emitterEventNames.length).toBeGreaterThan(300)
  for (const listed of emitterEventNames) {
    const [name = '', ...action] = listed.split('.')
    const found = bodies[name] ?? all.find((one) => one.name === name)?.body
    const payload = { ...found, action: action.length === 0 ? undefined : action.join('.') }
    const headers = new Headers({ 'x-github-event': name })
    const events = github.normalize({ payload, headers, body: new Uint8Array(), receivedAt: 0 })
    expect(eventNames).toContain(name)
    expect({ listed, known: found !== undefined, kinds: events.map(({ kind }) => kind) }).toEqual({
      listed,
      known: true,
      kinds: [listed],
    })
  }
})

/** The payloads of the published types, with and without their optional members, by the dashed name of their event. */
function readSchemas(): readonly { readonly name: string; readonly members: readonly string[] }[] {
  const file = createRequire(import.meta.url).resolve('@octokit/openapi-webhooks-types/package.json')
  const types = readFileSync(file.replace('package.json', 'types.d.ts'), 'utf8')
  const dashed = eventNames.map((name) => name.replaceAll('_', '-')).sort((a, b) => b.length - a.length)
  return types
    .split(/^ {4}(?="webhook-)/m)
    .slice(1)
    .flatMap((schema) => {
      const title = /^"webhook-([\w-]+)": \{$/m.exec(schema)?.[1] ?? ''
      const name = dashed.find((one) => title === one || title.startsWith(`${one}-`))
      const body = schema.slice(0, schema.search(/^ {4}\};$/m))
      const members = [...body.matchAll(/^ {6}(\w+)(\??):/gm)]
      const all = members.map(([, member = '']) => member)
      const required = members.filter(([, , mark]) => mark === '').map(([, member = '']) => member)
      return name === undefined ? [] : [all, required].map((one) => ({ name, members: one }))
    })
}

// Regression: a review of a deployment with a comment was taken for a comment on a commit.
it('agrees with every form that the published types allow', () => {
  const schemas = readSchemas()
  expect(schemas.length).toBeGreaterThan(480)
  // The types say that these events can be without the members that they always have.
  const incomplete = ['deployment-protection-rule', 'ping']
  for (const { name, members } of schemas) {
    const headers = new Headers({ 'x-github-event': name.replaceAll('-', '_') })
    const payload = Object.fromEntries(members.map((member) => [member, {}]))
    const agrees = agreesWithBody({ headers, payload, body: new Uint8Array(), receivedAt: 0 })
    if (!incomplete.includes(name)) expect({ name, members, agrees }).toEqual({ name, members, agrees: true })
  }
})

describe('a header', () => {
  const names = [...new Set(all.map(({ name }) => name))]
  const read = (name: string, payload: unknown): boolean =>
    agreesWithBody({
      headers: new Headers({ 'x-github-event': name }),
      payload,
      body: new Uint8Array(),
      receivedAt: 0,
    })

  it('cannot turn a payload into another event with members of its own', () => {
    for (const { name, body } of all) {
      const accepted = names.filter((other) => read(other, body))
      const group = alike.find((one) => one.includes(name)) ?? [name]
      expect({ name, foreign: accepted.filter((other) => !group.includes(other)) }).toEqual({
        name,
        foreign: [],
      })
    }
  })

  it('with a name that GitHub adds later is accepted', () => {
    expect(read('teleported', { pull_request: {} })).toBe(true)
  })

  it('of another event does not name the event', async () => {
    const push = all.find(({ name }) => name === 'push')?.body
    const { events } = await send(github, push, { headers: { 'x-github-event': 'release' } })
    expect(events.map(({ name }) => name)).toEqual(['github/unknown'])
  })
})
