import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

it('lists the sources of a file as its OpenAPI document describes them', async () => {
  await using folder = await temporaryDirectory()
  const RECONCILE_FILE = join(folder.path, 'reconcile.yaml')
  const source =
    '{ name: web, service: github, repository: acme/web, hook: 1, token_name: API_TOKEN_GITHUB, base_url: "http://127.0.0.1:1" }'
  await writeFile(RECONCILE_FILE, `sources: [${source}]`)
  const secrets = { WEBHOOK_SECRET_GITHUB: 'a secret', API_TOKEN_GITHUB: 'hunter2' }
  await using api = await startApi({ RECONCILE_FILE, PROVIDERS: 'github,codehost', ...secrets })
  const listed = await api.call('GET', '/reconciliations', { token: api.admin.token })
  expect(listed.data['reconciliations']).toMatchObject([{ name: 'web', mode: 'redelivery' }])
})
