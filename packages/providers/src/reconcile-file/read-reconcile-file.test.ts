import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentSecrets } from '@sallyport/webhooks/secret-stores'
import { afterAll, expect, it } from 'vitest'
import { readReconcileFile } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'reconcile-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const options = {
  secrets: environmentSecrets({ API_TOKEN_GITHUB: 'hunter2' }),
  ...{ providers: ['github'], name: 'RECONCILE_FILE' },
}

function read(text: string) {
  const path = join(folder, 'reconcile.yaml')
  writeFileSync(path, text)
  return readReconcileFile(path, options)
}

const github = '{ name: web, service: github, repository: acme/web, hook: 1, token_name: API_TOKEN_GITHUB }'

it('opens the sources of a file', () => {
  expect(read(`every_minutes: 5\nsources: [${github}]`)).toMatchObject({
    ...{ everyMs: 300_000, problems: [] },
    sources: [{ name: 'web', provider: 'github' }],
  })
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
  [' '.repeat(1024 ** 2 + 1), 'RECONCILE_FILE has more than 1048576 bytes'],
])('refuses the file %j without quoting it', (file, problem) => {
  const { problems, sources } = read(file)
  expect(problems[0]).toContain(problem)
  expect(problems.join()).not.toContain('hunter2')
  expect(sources).toEqual([])
})

it('says why the file cannot be read', () => {
  const { problems } = readReconcileFile(join(folder, 'none.yaml'), options)
  expect(problems).toEqual(['RECONCILE_FILE cannot be read: ENOENT'])
})
