import { testProvider } from '@sallyport/webhooks/testing'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { now, secret, send } from '../../test/send.ts'
import { stripe } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: stripe, samples: samples(), toleranceMs: 300_000, lacks: ['one-form'] })

it("accepts a signature of Stripe's library", async () => {
  const payload = JSON.stringify(sample('invoice.paid').body)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now / 1000 })
  const { events } = await send(stripe, payload, { signed: { 'Stripe-Signature': signature } })
  expect(events).toMatchObject([{ name: 'stripe/invoice.paid' }])
})
