import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '@sallyport/providers'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { startApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

async function read(file: string) {
  await using folder = await temporaryDirectory()
  const RECONCILE_FILE = join(folder.path, 'reconcile.yaml')
  await writeFile(RECONCILE_FILE, file)
  const settings = { DATA_DIR: folder.path, RECONCILE_FILE, PROVIDERS: 'github' }
  const secrets = { WEBHOOK_SECRET_GITHUB: 'a secret', API_TOKEN_GITHUB: 'hunter2' }
  return readConfig({ ...settings, ...secrets }, builtInProviders)
}

const github = '{ name: web, service: github, repository: acme/web, hook: 1, token_name: API_TOKEN_GITHUB }'

it('opens the sources of a file', async () => {
  const result = await read(`every_minutes: 5\nsources: [${github}]`)
  expect(result).toMatchObject({
    config: { reconcile: { everyMs: 300_000, sources: [{ name: 'web', provider: 'github' }] } },
  })
})

it('has the sources in the OpenAPI document', async () => {
  await using folder = await temporaryDirectory()
  const RECONCILE_FILE = join(folder.path, 'reconcile.yaml')
  await writeFile(RECONCILE_FILE, `sources: [${github.replace(' }', ', base_url: "http://127.0.0.1:1" }')}]`)
  const secrets = { WEBHOOK_SECRET_GITHUB: 'a secret', API_TOKEN_GITHUB: 'hunter2' }
  await using api = await startApi({ RECONCILE_FILE, PROVIDERS: 'github,codehost', ...secrets })
  const listed = await api.call('GET', '/reconciliations', { token: api.admin.token })
  expect(listed.data['reconciliations']).toMatchObject([{ name: 'web', mode: 'redelivery' }])
})

it.each([
  ['', 'RECONCILE_FILE: Invalid input'],
  ['sources: []', 'RECONCILE_FILE: sources: Too small'],
  ['sources: [{ service: fax }]', 'RECONCILE_FILE: sources.0.service: Invalid'],
  [
    `sources: [${github.replace('API_TOKEN_GITHUB', 'hunter2')}]`,
    'RECONCILE_FILE: sources.0.token_name: Must begin',
  ],
  [`sources: [${github.replace('hook: 1', 'hunter2: 1')}]`, 'RECONCILE_FILE: sources.0'],
  [`sources: [${github.replace('_GITHUB', '_OTHER')}]`, 'API_TOKEN_OTHER is missing'],
  [
    'sources: [{ name: a, service: stripe, token_name: API_TOKEN_GITHUB }]',
    'The source a: Needs the provider',
  ],
])('refuses the file %j without quoting it', async (file, problem) => {
  const { problems = [] } = (await read(file)) as { readonly problems?: readonly string[] }
  expect(problems[0]).toContain(problem)
  expect(problems.join()).not.toContain('hunter2')
})
