import { builtInProviders } from '@sallyport/providers'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'

it('lists the built-in providers, and shows the setup of each', async () => {
  await using api = await startApi({ PROVIDERS: 'codehost,stripe' })
  const { token } = api.admin
  const { list } = await api.call('GET', '/providers', { token })
  expect(list.map(({ name }) => name)).toEqual(builtInProviders.map(({ name }) => name))
  expect(list.filter(({ registered }) => registered).map(({ title }) => title)).toEqual([
    'Neutral contract codehost (in the form of GitHub)',
    'Stripe',
  ])
  for (const { name } of builtInProviders) {
    const { status, data } = await api.call('GET', `/providers/${name}`, { token })
    expect([name, status]).toEqual([name, 200])
    expect(data['setup'], name).not.toEqual([])
    expect(data['samples'], name).not.toEqual([])
  }
})
