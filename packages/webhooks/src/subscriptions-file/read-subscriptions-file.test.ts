import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { environmentSecrets } from '../secret-stores/index.ts'
import { readSubscriptionsFile } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'subscriptions-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function read(text: string, environment: Readonly<Record<string, string>> = {}) {
  const path = join(folder, 'subscriptions.yaml')
  writeFileSync(path, text)
  return readSubscriptionsFile(path, { secrets: environmentSecrets(environment), name: 'SUBSCRIPTIONS_FILE' })
}

it('reads subscriptions, with ids of the service and the endpoint', async () => {
  const { declared, credentials, problems } = read(
    `
subscriptions:
  - service: github
    endpoint: acme
    parameters: { repository: acme/shop, events: [push] }
    token_name: API_TOKEN_ACME
  - { id: bot, service: telegram }
`,
    { API_TOKEN_ACME: 'private' },
  )
  expect(problems).toEqual([])
  const parameters = { repository: 'acme/shop', events: ['push'] }
  expect(declared).toEqual([
    {
      id: 'github-acme',
      service: 'github',
      endpoint: 'acme',
      parameters,
      credential: 'API_TOKEN_ACME',
    },
    { id: 'bot', service: 'telegram', parameters: {} },
  ])
  const request = { id: 'a', service: 'github', parameters, isRefused: false }
  expect(await credentials({ ...request, credential: 'API_TOKEN_ACME' })).toBe('private')
  const missing = Promise.resolve(credentials({ ...request, credential: 'API_TOKEN_LOST' }))
  await expect(missing).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
})

it.each([
  ['subscriptions: [', 'SUBSCRIPTIONS_FILE is not YAML'],
  ['subscriptions: [{ endpoint: acme }]', 'subscriptions.0.service: '],
  ['subscriptions: [{ service: github, token: private }]', 'subscriptions.0: Has an unknown key'],
  ['subscriptions: [{ service: github, token_name: JWT_SECRET }]', 'Must begin with API_TOKEN_'],
  ['subscriptions: [{ service: github, endpoint: a/b }]', 'subscriptions.0.endpoint: '],
  ['subscriptions: [{ service: github }, { service: github }]', 'subscriptions.1: Set an id'],
  [
    'subscriptions: [{ service: github, token_name: API_TOKEN_B }]',
    'API_TOKEN_B is missing: the subscription github names it',
  ],
])('has a problem that quotes no value: %j', (text, problem) => {
  const { problems, declared } = read(text)
  expect(problems.join('\n')).toContain(problem)
  expect(problems.join('\n')).not.toContain('private')
  expect(declared).toEqual([])
})

it('says why the file cannot be read', () => {
  const { problems } = readSubscriptionsFile(join(folder, 'none.yaml'), { secrets: environmentSecrets({}) })
  expect(problems[0]).toContain('cannot be read: ENOENT')
})
