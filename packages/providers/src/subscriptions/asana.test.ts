import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/asana.json' with { type: 'json' }
import { address, createContext, createScriptedFetch } from '../../test/subscriptions/scripted.ts'
import { asana } from './asana.ts'

const parameters = {
  workspace: '1331',
  resource: '8675309',
  filters: [{ resource_type: 'task', action: 'changed' as const, fields: ['due_on'] }],
}

it('creates a webhook with a target of its own, and returns the secret of the answer', async () => {
  const { fetch, requests } = createScriptedFetch(({ method }) =>
    method === 'DELETE' ? { data: {} } : { data: { gid: '43214' }, 'X-Hook-Secret': 'b537207f' },
  )
  const context = createContext(parameters, fetch)
  expect(await asana.create(context)).toEqual({ id: '43214', secret: 'b537207f' })
  await asana.create(context)
  await asana.remove(context, { id: '43214' })
  const targets = requests.slice(0, 2).map(({ body }) => (body as { data: { target: string } }).data.target)
  for (const target of targets) expect(target).toMatch(/^https:\/\/hooks\.example\.com\/.*\?webhook=[\w-]+$/)
  expect(new Set(targets).size).toBe(2)
  expect(requests[2]?.url.pathname).toBe('/api/1.0/webhooks/43214')
})

it('sends only what the document allows', async () => {
  const { fetch, requests } = createScriptedFetch(
    ({ method }) =>
      method === 'DELETE' ? { data: {} } : { data: { gid: '1' }, 'X-Hook-Secret': 'b537207f' },
    document,
  )
  const context = createContext(parameters, fetch)
  await asana.remove(context, await asana.create(context))
  await asana.create(createContext({ workspace: '1', resource: '2' }, fetch))
  expect(requests[0]?.body).toMatchObject({ data: { resource: '8675309', filters: parameters.filters } })
})

it('finds the webhooks of the address on all pages, with any query', async () => {
  const { fetch } = createScriptedFetch(({ url }) => {
    const isFirst = !url.searchParams.has('offset')
    const data = isFirst
      ? [
          { gid: '1', target: `${address}?webhook=a`, active: true },
          { gid: '2', target: `${address}2?webhook=a`, active: true },
        ]
      : [{ gid: '3', target: address, active: false }]
    return { data, next_page: isFirst ? { offset: 'eyJ0eXAi&', path: '', uri: '' } : null }
  }, document)
  expect(await asana.list(createContext(parameters, fetch), undefined)).toEqual([
    { id: '1', isDisabled: false },
    { id: '3', isDisabled: true },
  ])
})

it('reports an answer without a secret', async () => {
  const { fetch } = createScriptedFetch(() => ({ data: { gid: '1' } }))
  const creating = asana.create(createContext(parameters, fetch))
  await expect(creating).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
})

it.each([{ resource: '1/../2' }, { filters: [] }, { filters: [{ action: 'read' }] }])(
  'refuses the parameters %j',
  async (given) => {
    const result = await asana.parameters['~standard'].validate({ ...parameters, ...given })
    expect(result.issues).toBeDefined()
  },
)
