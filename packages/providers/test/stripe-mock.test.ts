import {
  describeNeeding,
  openStripeMock,
  stripeMocks,
  type StripeMock,
} from '@sallyport/test-support/services'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reconcileStripe } from '../src/reconcile/index.ts'
import { stripe } from '../src/subscriptions/stripe.ts'
import { address, createContext } from './subscriptions/scripted.ts'

const token = 'sk_test_sallyport'

// stripe-mock answers with fixtures of Stripe, and refuses what Stripe's OpenAPI document does not allow.
describeNeeding(stripeMocks, (command) => {
  let mock: StripeMock | undefined
  beforeAll(async () => {
    mock = await openStripeMock(command)
  })
  afterAll(() => mock?.[Symbol.asyncDispose]())

  const send: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(`${mock?.url ?? ''}${pathname}${search}`, init)
  }

  it('refuses a request that Stripe does not allow', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await send('https://api.stripe.com/v1/events?unknown=1', { headers })
    expect(answer.status).toBe(400)
  })

  it('accepts the requests that register, repair and remove a webhook endpoint', async () => {
    const parameters = { events: ['invoice.paid'], apiVersion: '2025-09-30.clover', connect: true }
    const context = createContext(parameters, send, { token: () => token })
    const bodies: unknown[] = []
    const created = await stripe.create({
      ...context,
      async fetch(input, init) {
        const body = (await (await send(input, init)).json()) as object
        bodies.push(body)
        // Stripe returns the secret at the creation, and stripe-mock leaves it out.
        return Response.json({ secret: 'whsec_of_the_test', ...body })
      },
    })
    expect(created).toEqual({ id: expect.stringMatching(/^we_/) as string, secret: 'whsec_of_the_test' })
    expect(bodies).toMatchObject([{ url: address, enabled_events: ['invoice.paid'] }])
    expect(await stripe.list(context, undefined)).toEqual([])
    expect(await stripe.repair?.(context, created)).toEqual({ id: created.id })
    await stripe.remove(context, created)
  })

  it('accepts the requests that list events, and its events are read', async () => {
    const source = reconcileStripe({ token: () => token, types: ['invoice.paid'], fetch: send })
    const until = Date.now()
    const window = {
      ...{ since: until - 7_200_000, until, checked: () => Promise.resolve() },
      signal: new AbortController().signal,
    }
    const ids: string[] = []
    for await (const { id, body } of source.list(window)) {
      ids.push(id)
      expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ id, object: 'event' })
    }
    expect(ids).toEqual([expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)])
  })
})
