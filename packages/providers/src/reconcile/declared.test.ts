import { environmentSecrets } from '@sallyport/webhooks/secret-stores'
import { expect, test } from 'vitest'
import { openReconcileSources, reconcileSchema } from './declared.ts'

const declare = (declaration: object) =>
  reconcileSchema.parse({ name: 'one', token_name: 'API_TOKEN_A', ...declaration })
const secrets = environmentSecrets({ API_TOKEN_A: 'secret' })
const providers = ['github', 'gitlab', 'gitlab-token', 'paddle', 'polar', 'stripe']

test.each([
  [{ service: 'github', repository: 'acme/web', hook: 1 }, { provider: 'github' }],
  [{ service: 'github', organization: 'acme', hook: 1, endpoint: 'acme' }, { endpoint: 'acme' }],
  [
    { service: 'gitlab', project: 'acme/web', hook: 1, provider: 'gitlab-token' },
    { provider: 'gitlab-token' },
  ],
  [{ service: 'paddle', destination: 'ntfset_1' }, { provider: 'paddle' }],
  [{ service: 'polar' }, { provider: 'polar' }],
  [{ service: 'stripe', types: ['charge.failed'] }, { provider: 'stripe' }],
])('The declaration %j is a source', (declaration, expected) => {
  const { sources, problems } = openReconcileSources([declare(declaration)], { secrets, providers })
  expect(problems).toEqual([])
  expect(sources).toMatchObject([{ name: 'one', ...expected }])
})

test.each([
  [{ service: 'github', hook: 1 }, 'The source one: Needs one of repository or organization'],
  [{ service: 'gitlab', project: 1, group: 2, hook: 1 }, 'The source one: Needs one of project or group'],
  [
    { service: 'stripe', base_url: 'http://a.example' },
    /^The source one: The API of a service needs an https/,
  ],
  [{ service: 'stripe', token_name: 'API_TOKEN_B' }, 'API_TOKEN_B is missing: the source one names it'],
])('The declaration %j is a problem', (declaration, problem) => {
  const { problems } = openReconcileSources([declare(declaration)], { secrets, providers })
  expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})

test('A token that the service refused is read again', async () => {
  const tokens: (string | null)[] = []
  const environment = { API_TOKEN_A: 'old' }
  const { sources } = openReconcileSources([declare({ service: 'stripe' })], {
    ...{ secrets: environmentSecrets(environment), providers },
    fetch(input, init) {
      environment.API_TOKEN_A = 'new'
      tokens.push(new Request(input, init).headers.get('authorization'))
      const status = tokens.length === 1 ? 401 : 200
      return Promise.resolve(Response.json({ data: [], has_more: false }, { status }))
    },
  })
  const checked = () => Promise.resolve()
  const window = { since: 0, until: 120_000, checked, signal: new AbortController().signal }
  for await (const one of sources[0]?.list(window) ?? []) expect(one).toBeUndefined()
  expect(tokens).toEqual(['Bearer old', 'Bearer new'])
})

test('A name that is declared twice and a provider that is not registered are problems', () => {
  const one = declare({ service: 'stripe' })
  expect(openReconcileSources([one, one], { secrets, providers }).problems).toEqual([
    'The source one is declared twice',
  ])
  expect(openReconcileSources([one], { secrets, providers: [] }).problems).toEqual([
    'The source one: Needs the provider stripe',
  ])
})
