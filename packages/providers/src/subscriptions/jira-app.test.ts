import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/jira-app.json' with { type: 'json' }
import { address, createContext, createScriptedFetch, now } from '../../test/subscriptions/scripted.ts'
import { jiraApp } from './jira-app.ts'

const parameters = {
  cloudId: '0b7f4a2e-6c1d-4e6f-9a57-1f6f0c2d8e31',
  jql: 'project = SHOP',
  events: ['jira:issue_created' as const, 'comment_created' as const],
}
const days = 86_400_000

const webhook = (id: number, changes = {}) => ({
  ...{ id, url: address, jqlFilter: 'project = SHOP', expirationDate: now + 30 * days },
  ...{ events: ['comment_created', 'jira:issue_created'], ...changes },
})

it('registers a webhook for 30 days, extends it, and removes it', async () => {
  const { fetch, requests } = createScriptedFetch(({ method }) => {
    if (method === 'POST') return { webhookRegistrationResult: [{ createdWebhookId: 1000 }] }
    return method === 'PUT' ? { expirationDate: '2026-12-29T00:00:00.000+0000' } : new Response('')
  }, document)
  const context = createContext(parameters, fetch)
  const created = await jiraApp.create(context)
  expect(created).toEqual({ id: '1000', expiresAt: now + 30 * days })
  expect(await jiraApp.renew?.(context, created)).toEqual({ id: '1000', expiresAt: now + 30 * days })
  await jiraApp.remove(context, created)
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    [
      'POST',
      {
        url: address,
        webhooks: [{ jqlFilter: 'project = SHOP', events: ['jira:issue_created', 'comment_created'] }],
      },
    ],
    ['PUT', { webhookIds: [1000] }],
    ['DELETE', { webhookIds: [1000] }],
  ])
})

it('finds the webhooks with the address, the filter and the events on all pages', async () => {
  const { fetch } = createScriptedFetch(
    ({ url }) =>
      url.searchParams.get('startAt') === '4'
        ? { startAt: 4, isLast: true, values: [webhook(5, { jqlFilter: 'project = OLD' }), webhook(6)] }
        : {
            ...{ startAt: 0, isLast: false },
            values: [
              webhook(1, { url: `${address}2` }),
              webhook(2, { jqlFilter: 'project = OTHER' }),
              webhook(3, { events: ['comment_created'] }),
              webhook(4, { expirationDate: '2026-12-01T00:00:00.000+0000' }),
            ],
          },
    document,
  )
  expect(await jiraApp.list(createContext(parameters, fetch), { id: '5' })).toEqual([
    { id: '4', expiresAt: now + 2 * days },
    { id: '5', expiresAt: now + 30 * days },
    { id: '6', expiresAt: now + 30 * days },
  ])
})

it('reports a filter that Jira refuses in an answer of 200', async () => {
  const { fetch } = createScriptedFetch(() => ({
    webhookRegistrationResult: [{ errors: ['The clause watchCount is unsupported'] }],
  }))
  const creating = jiraApp.create(createContext(parameters, fetch))
  await expect(creating).rejects.toMatchObject({ code: 'REFUSED' })
})

it('reads no date in another form', async () => {
  const { fetch } = createScriptedFetch(() => ({ expirationDate: 'tomorrow' }))
  const renewing = jiraApp.renew?.(createContext(parameters, fetch), { id: '1' })
  await expect(renewing).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
})

it.each([{ cloudId: '../../me' }, { events: ['sprint_created'] }, { jql: '' }])(
  'refuses the parameters %j',
  async (given) => {
    const all = { ...parameters, ...given }
    expect((await jiraApp.parameters['~standard'].validate(all)).issues).toBeDefined()
  },
)
