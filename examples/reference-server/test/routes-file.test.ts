import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '@sallyport/providers'
import { openReceiver } from '@sallyport/test-support/hosts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { readiness } from './readiness.ts'
import { startInProcess } from './in-process.ts'
import {
  adminToken,
  getSecrets,
  publishedEvents,
  sendWorkflowRun,
  temporaryDirectory,
} from './server-process.ts'

async function read(routes: string, environment: Readonly<Record<string, string>> = {}) {
  await using folder = await temporaryDirectory()
  const ROUTES_FILE = join(folder.path, 'routes.yaml')
  await writeFile(ROUTES_FILE, routes)
  const result = readConfig({ DATA_DIR: folder.path, ROUTES_FILE, ...environment }, builtInProviders)
  return 'problems' in result ? result : { routes: result.config.routes }
}

const destinationSecret = `whsec_${btoa('the secret of the destination')}`
const addresses = { BUS_URL: 'nats://bus:4222', BUS_URL_AUDIT: 'kafka://user:hunter2@a:9092,b/audit' }

describe('file of routes', () => {
  it('names buses by their variables', async () => {
    const file = `
routes:
  - { to: BUS_URL, events: [github/*, codehost/workflow_run.*] }
  - { to: BUS_URL_AUDIT, endpoints: [shop-1] }
  - { to: database, redact: ['**.email'] }
`
    expect(await read(file, addresses)).toEqual({
      routes: [
        { to: 'BUS_URL', url: 'nats://bus:4222', events: ['github/*', 'codehost/workflow_run.*'] },
        { to: 'BUS_URL_AUDIT', url: 'kafka://user:hunter2@a:9092,b/audit', endpoints: ['shop-1'] },
        { to: 'database', redact: ['**.email'] },
      ],
    })
  })

  it.each([
    ['', 'ROUTES_FILE: Invalid input'],
    ['routes: []', 'ROUTES_FILE: routes: Too small'],
    ['routes: [{ to: kafka://hunter2@host }]', 'ROUTES_FILE: routes.0.to: Must be database, BUS_URL or'],
    ['routes: [{ to: BUS_URL, hunter2: x }]', 'ROUTES_FILE: routes.0: Has an unknown key'],
    ['routes: [{ to: BUS_URL, events: [push] }]', 'ROUTES_FILE: routes.0.events.0: Must be like github/push'],
    [
      'routes: [{ to: BUS_URL, events: [githib/*] }]',
      'ROUTES_FILE: routes.0.events: Names "githib", which is not a provider',
    ],
    ['routes: [{ to: BUS_URL, endpoints: [a b] }]', 'ROUTES_FILE: routes.0.endpoints.0: Must be the id'],
    ['routes: [{ to: BUS_URL, redact: [a..b] }]', 'ROUTES_FILE: routes.0.redact.0: Must be like data.'],
    [
      "routes: [{ to: BUS_URL, redact: ['header:x-a'] }]",
      'ROUTES_FILE: routes.0.redact: Must not name headers',
    ],
    ['routes: [{ to: BUS_URL }, { to: BUS_URL_X }]', 'BUS_URL_X is missing: ROUTES_FILE names it'],
    ['routes: [{ to: BUS_URL }, { to: BUS_URL_BAD }]', 'BUS_URL_BAD has to be an address such as nats:'],
    ['routes: [{ to: database }]', 'BUS_URL is set, and no route of ROUTES_FILE leads to it'],
    ['routes: [', 'ROUTES_FILE is not YAML'],
    ['{}', 'ROUTES_FILE has neither routes nor destinations'],
    [
      'destinations: [{ name: a, url: https://hunter2 }]',
      'DESTINATION_SECRET is missing: the destination a needs it',
    ],
    [
      'destinations: [{ name: a, url: https://hunter2, filter: { events: [push] } }]',
      'ROUTES_FILE: destinations.0.filter.events.0: Must be like github/push',
    ],
  ])('is rejected without a quote of a secret: %s', async (file, problem) => {
    const { problems = [] } = (await read(file, { ...addresses, BUS_URL_BAD: 'hunter2://x' })) as {
      problems?: readonly string[]
    }
    expect(problems).toEqual([expect.stringContaining(problem)])
    expect(problems.join()).not.toContain('hunter2')
  })

  it('declares destinations with their secrets', async () => {
    await using folder = await temporaryDirectory()
    const ROUTES_FILE = join(folder.path, 'routes.yaml')
    await writeFile(
      ROUTES_FILE,
      `
destinations:
  - name: billing
    url: https://billing.example.com/hunter2
    sign: provider
    secret: DESTINATION_SECRET_BILLING
    filter: { events: [codehost/*], data: { data.action: [completed] } }
  - { name: local, url: 'http://127.0.0.1:8080/', mode: event }
`,
    )
    const environment = {
      ...{ DATA_DIR: folder.path, ROUTES_FILE, DESTINATION_SECRET_BILLING: 'hunter2' },
      ...{ BUS_URL: 'deliver+https://all.example.com/hunter2', DESTINATION_SECRET: destinationSecret },
    }
    const config = (allowed: string) =>
      readConfig({ ...environment, DESTINATION_ALLOW_PRIVATE: allowed }, builtInProviders)
    expect(config('127.0.0.0/8')).toMatchObject({
      config: {
        destinations: [
          { name: 'billing', mode: 'original' },
          { name: 'local', mode: 'event' },
          { name: 'default', mode: 'original' },
        ],
        settings: { BUS_URL: undefined },
      },
    })
    const refused = config('0')
    expect(refused).toEqual({
      problems: [
        expect.stringContaining('The destination local: url of a destination must begin with https'),
      ],
    })
    expect(JSON.stringify(refused)).not.toContain('hunter2')
  })

  it('is rejected when it is missing', async () => {
    expect(await read('', { ROUTES_FILE: '/nowhere/routes.yaml' })).toEqual({
      problems: ['ROUTES_FILE cannot be read: ENOENT'],
    })
  })
})

it('publishes events on all buses of their routes, and settles them when all have them', async () => {
  await using open = await openReceiver(202)
  await using closed = await openReceiver(503)
  await using data = await temporaryDirectory()
  const ROUTES_FILE = join(data.path, 'routes.json')
  const routes = [
    { to: 'BUS_URL' },
    { to: 'BUS_URL_AUDIT', events: ['codehost/workflow_run.*'] },
    { to: 'BUS_URL_OTHER', events: ['deploy/*'] },
  ]
  await writeFile(ROUTES_FILE, JSON.stringify({ routes }))
  await using server = await startInProcess({
    ...{ DATA_DIR: data.path, ROUTES_FILE, BUS_URL: `cloudevents+${open.url}` },
    ...{ BUS_URL_AUDIT: `cloudevents+${closed.url}`, BUS_URL_OTHER: 'nats://127.0.0.1:9' },
  })
  expect(server.output()).toContain(`cloudevents+${open.url}, cloudevents+${closed.url}, nats://127.0.0.1:9`)
  const secrets = await getSecrets(data.path)
  const run = { type: 'workflow_run.completed', payload: { run: 1 } }
  const { data: accepted } = await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run)
  const token = await adminToken(server.base, secrets)
  const ids = (requests: typeof open.requests) =>
    requests.flatMap(({ method, body }) =>
      method === 'POST' ? [(JSON.parse(body) as { id: string }).id] : [],
    )
  const [id] = accepted.events.map((event) => event.id)
  await expect.poll(() => ids(closed.requests).length).toBeGreaterThan(1)
  await expect
    .poll(() => readiness(server.base, token))
    .toMatchObject({ dependencies: { bus: 'ok', bus_audit: 'unavailable', bus_other: 'unavailable' } })
  expect(await publishedEvents(server.base, token)).toEqual([])
  closed.answer(202)
  await expect.poll(() => publishedEvents(server.base, token), { timeout: 20_000 }).toMatchObject([{ id }])
  // The bus that had the event did not get it again.
  expect(ids(open.requests)).toEqual([id])
  await server.stop()
})
