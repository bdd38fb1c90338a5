import { testProvider } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, send } from '../../test/send.ts'
import { samples } from './payments.samples.ts'
import { payments } from './payments.ts'

const succeeded = samples.sample('payment.succeeded').body
const [succeededThin, deletedThin] = samples
  .samples()
  .slice(-2)
  .map(({ body }) => body)

testProvider(runner, {
  provider: payments,
  samples: samples.samples(),
  ignored: [
    ...[
      'payment_intent.created',
      'charge.updated',
      'customer.created',
      'payout.paid',
      'v1.charge.succeeded',
    ].map((type) => ({ headers: {}, body: { ...(succeeded as object), type } })),
    ...['v1.billing.meter.no_meter_found', 'v2.core.account.updated'].map((type) => ({
      headers: {},
      body: { ...(deletedThin as object), type },
    })),
  ],
  toleranceMs: 300_000,
  // A header with several signatures also holds if one of them is repeated.
  lacks: ['one-form'],
})

const event = (type: string, object: object, more: object = {}) => ({
  id: 'evt_1',
  type,
  data: { object: { id: 'obj_1', ...object } },
  ...more,
})
const toData = async (body: unknown) => (await send(payments, body)).events[0]?.data

describe('data', () => {
  it.each(samples.kinds)('of %s is typed and in snake_case', async (kind) => {
    const { events } = await send(payments, samples.sample(kind).body)
    expect(events).toMatchObject([{ name: `payments/${kind}` }])
    expect(events[0]?.data).toMatchSnapshot()
  })

  it.each([
    ['payment_intent.succeeded', { invoice: 'in_1' }, { invoice_id: 'in_1', failure_code: null }],
    ['payment_intent.succeeded', { invoice: { id: 'in_1' }, amount: -5 }, { invoice_id: 'in_1', amount: -5 }],
    ['payment_intent.payment_failed', { last_payment_error: { code: 'c' } }, { failure_code: 'c' }],
    [
      'payment_intent.payment_failed',
      { last_payment_error: { code: 'c', decline_code: 'd' } },
      { failure_code: 'd' },
    ],
    ['charge.succeeded', { receipt_email: 'r@x.de' }, { customer_email: 'r@x.de', customer_name: null }],
    [
      'charge.succeeded',
      { receipt_email: 'r@x.de', billing_details: { email: 'b@x.de' } },
      { customer_email: 'b@x.de' },
    ],
    ['charge.succeeded', { payment_intent: { id: 'pi_1' } }, { payment_id: 'pi_1' }],
    ['checkout.session.completed', { customer_email: 'c@x.de' }, { customer_email: 'c@x.de' }],
    [
      'checkout.session.completed',
      { customer_email: 'c@x.de', customer_details: { email: 'd@x.de' } },
      { customer_email: 'd@x.de' },
    ],
    [
      'checkout.session.completed',
      { subscription: 'sub_1', invoice: { id: 'in_1' } },
      { subscription_id: 'sub_1', invoice_id: 'in_1', payment_id: null },
    ],
    ['customer.subscription.created', { trial_end: 1 }, { trial_end: '1970-01-01T00:00:01.000Z', items: [] }],
    [
      'customer.subscription.created',
      { items: { data: [{ price: { product: { id: 'prod_1' } } }, {}] } },
      {
        items: [
          {
            price_id: null,
            product_id: 'prod_1',
            quantity: null,
            unit_amount: null,
          },
          {
            price_id: null,
            product_id: null,
            quantity: null,
            unit_amount: null,
          },
        ],
      },
    ],
    ['invoice.paid', { subscription: 'sub_old' }, { subscription_id: 'sub_old' }],
    [
      'customer.subscription.created',
      { current_period_end: 1 },
      { current_period_end: '1970-01-01T00:00:01.000Z' },
    ],
    ['invoice.paid', { amount_due: 3, amount_paid: 2, amount_remaining: 1 }, { amount: 3, amount_paid: 2 }],
    [
      'invoice.paid',
      { parent: { subscription_details: { subscription: { id: 'sub_1' } } } },
      { subscription_id: 'sub_1' },
    ],
  ])('of %s with %j', async (type, object, expected) => {
    expect(await toData(event(type, object))).toMatchObject(expected)
  })

  it('is the same for an expanded object', async () => {
    const expanded = changed(succeeded, ['data', 'object', 'latest_charge'], {
      to: { id: 'ch_3Rl4Qx2eZvKYlo2C1aBcDeFg', object: 'charge' },
    })
    expect(await toData(expanded)).toEqual(await toData(succeeded))
  })

  it('has the account in both forms', async () => {
    const snapshot = event('charge.succeeded', {}, { account: 'acct_1', livemode: true })
    expect(await toData(snapshot)).toMatchObject({
      account_id: 'acct_1',
      live: true,
    })
    const thin = {
      object: 'v2.core.event',
      related_object: { id: 'ch_1' },
      context: 'acct_2',
    }
    expect(await toData({ ...event('v1.charge.succeeded', {}), ...thin })).toMatchObject({
      account_id: 'acct_2',
    })
  })

  it('does not confuse objects of API v2 with those of v1', async () => {
    const other = {
      ...event('v1.charge.succeeded', {}),
      object: 'v2.billing.event',
      related_object: { id: '1' },
    }
    expect((await send(payments, other)).outcome).toBe('ignored')
  })
})

describe('thin events', () => {
  it('have the id of their object and no other details', async () => {
    const { events } = await send(payments, succeededThin)
    expect(events).toMatchObject([
      {
        id: 'payments:payment.succeeded:evt_65SnXk9Lm2Qw7Rt4Vb1Nz8Yc',
        subject: 'pi_3RlTuV2eZvKYlo2C1qRsTuVw',
        ts: Date.parse('2025-07-16T09:00:00.123Z'),
        data: { payment_id: 'pi_3RlTuV2eZvKYlo2C1qRsTuVw', thin: true, amount: null, live: false },
      },
    ])
    expect(await createMessage(payments, succeededThin)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Payment",
            "url": "https://dashboard.stripe.com/test/payments/pi_3RlTuV2eZvKYlo2C1qRsTuVw",
          },
        ],
        "severity": "info",
        "text": "The details are in the dashboard.
      In test mode.",
        "title": "Payment succeeded",
      }
    `)
  })

  it('have the key of their snapshot if present', async () => {
    const snapshot = changed(samples.sample('subscription.deleted').body, ['id'], {
      to: 'evt_1RyBmN2eZvKYlo2CsubDe11',
    })
    const ids = await Promise.all(
      [deletedThin, snapshot].map(async (body) => (await send(payments, body)).events[0]?.id),
    )
    expect(ids[0]).toBe('payments:subscription.deleted:evt_1RyBmN2eZvKYlo2CsubDe11')
    expect(ids[1]).toBe(ids[0])
  })
})

it('treats two events of one API call as different', async () => {
  const bodies = [succeeded, samples.sample('charge.succeeded').body]
  const keys = bodies.map(
    (body) => (body as { request: { idempotency_key: string } }).request.idempotency_key,
  )
  expect(keys[0]).toBe(keys[1])
  const ids = await Promise.all(bodies.map(async (body) => (await send(payments, body)).events[0]?.id))
  expect(ids[0]).not.toBe(ids[1])
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples.samples()) {
    const isThin = (one.body as { object: string }).object === 'v2.core.event'
    expect(requiredFields(payments, one)).toEqual(
      isThin
        ? ['object', 'related_object', 'related_object.id', 'type']
        : ['data', 'data.object', 'data.object.id', 'type'],
    )
  }
})
