import { expect, it } from 'vitest'
import document from '../../test/subscriptions/openapi/stripe.json' with { type: 'json' }
import { address, createContext, createScriptedFetch } from '../../test/subscriptions/scripted.ts'
import { stripe } from './stripe.ts'

const parameters = { events: ['invoice.paid', 'charge.failed'], apiVersion: '2025-09-30.clover' }

it('creates an endpoint and returns its secret', async () => {
  const { fetch, requests } = createScriptedFetch(() => ({ id: 'we_1', secret: 'whsec_1' }), document)
  expect(await stripe.create(createContext({ ...parameters, connect: true }, fetch))).toEqual({
    id: 'we_1',
    secret: 'whsec_1',
  })
  expect(requests[0]?.body).toEqual({
    ...{ url: address, enabled_events: parameters.events },
    ...{ api_version: '2025-09-30.clover', connect: true },
  })
})

it('enables an endpoint, and deletes it', async () => {
  const { fetch, requests } = createScriptedFetch(() => ({ id: 'we_1' }), document)
  const context = createContext(parameters, fetch)
  await stripe.repair?.(context, { id: 'we_1' })
  await stripe.remove(context, { id: 'we_1' })
  expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'POST /v1/webhook_endpoints/we_1',
    'DELETE /v1/webhook_endpoints/we_1',
  ])
  expect(requests[0]?.body).toMatchObject({ disabled: false, url: address })
})

it('finds the endpoints of the address on all pages', async () => {
  const endpoint = (id: string, url: string, status = 'enabled') => ({ id, url, status })
  const { fetch } = createScriptedFetch(
    ({ url }) =>
      url.searchParams.get('starting_after') === 'we_1'
        ? { data: [endpoint('we_2', address, 'disabled')], has_more: false }
        : { data: [endpoint('we_1', 'https://other.example.com')], has_more: true },
    document,
  )
  expect(await stripe.list(createContext(parameters, fetch), undefined)).toEqual([
    { id: 'we_2', isDisabled: true },
  ])
})

it('refuses an answer of another form', async () => {
  const { fetch } = createScriptedFetch(() => ({ data: 'none' }), document)
  const listing = stripe.list(createContext(parameters, fetch), undefined)
  await expect(listing).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
})
