import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, now, secret, send } from '../../test/send.ts'
import { createPayments, payments } from './index.ts'
import { kinds, sample, samples } from './samples.ts'

const succeeded = sample('payment.succeeded').body

testProvider(runner, {
  provider: payments,
  samples: samples(),
  ignored: [
    ...[
      'payment_intent.created',
      'charge.updated',
      'customer.created',
      'payout.paid',
      'v1.charge.succeeded',
    ].map((type) => ({ headers: {}, body: { ...(succeeded as object), type } })),
    ...['v1.billing.meter.no_meter_found', 'v2.core.account.updated', 'payment_intent.succeeded'].map(
      (type) => ({ headers: {}, body: { ...(samples().at(-1)?.body as object), type } }),
    ),
  ],
  toleranceMs: 300_000,
  // A header with several signatures also holds if one of them is repeated.
  lacks: ['one-form'],
})

const seconds = now / 1000
const stripeSigned = (payload: string, key = secret, timestamp = seconds) =>
  `t=${timestamp},v1=${createHmac('sha256', key).update(`${timestamp}.${payload}`).digest('hex')}`

describe('signatures', () => {
  const body = JSON.stringify(succeeded)
  const getOutcome = async (signature: string) =>
    (await send(payments, body, { signed: { 'Payments-Signature': signature } })).outcome

  it('accept any matching signature in a header of several', async () => {
    const [time, v1] = stripeSigned(body).split(',')
    const other = stripeSigned(body, 'another secret').split(',')[1]
    for (const header of [
      `${time},${v1},${other}`,
      `${time},${other},${v1}`,
      `${v1},v0=abc,${time},${other}`,
    ]) {
      expect(await getOutcome(header)).toBe('accepted')
    }
    expect(await getOutcome(`${time},${other}`)).toBe('401')
    expect(await getOutcome(`${time},${v1?.slice(0, -2)}`)).toBe('401')
    expect(await getOutcome(`${time},v0${v1?.slice(2)}`)).toBe('401')
  })

  it('tolerate five minutes in both directions', async () => {
    for (const age of [-300, 0, 300])
      expect(await getOutcome(stripeSigned(body, secret, seconds + age))).toBe('accepted')
    for (const age of [-301, 301, -1e6])
      expect(await getOutcome(stripeSigned(body, secret, seconds + age))).toBe('401')
  })

  it('use the configured header', () => {
    expect(createPayments({ name: 'till', header: 'Till-Signature' }).signature.headers).toEqual([
      'till-signature',
    ])
  })
})

describe('data', () => {
  it.each(kinds)('of %s is typed and in snake_case', async (kind) => {
    const { events } = await send(payments, sample(kind).body)
    expect(events).toMatchObject([{ name: `payments/${kind}` }])
    expect(events[0]?.data).toMatchSnapshot()
  })

  it('is the same for an expanded object', async () => {
    const [event] = (await send(payments, succeeded)).events
    const expanded = changed(succeeded, ['data', 'object', 'latest_charge'], {
      to: { id: 'ch_3Rl4Qx2eZvKYlo2C1aBcDeFg', object: 'charge' },
    })
    expect((await send(payments, expanded)).events[0]?.data).toEqual(event?.data)
  })

  it('is read from the fields of older API versions', async () => {
    const invoice = changed(sample('invoice.paid').body, ['data', 'object', 'parent'])
    const old = changed(invoice, ['data', 'object', 'subscription'], { to: 'sub_old' })
    expect((await send(payments, old)).events[0]?.data).toMatchObject({ subscription_id: 'sub_old' })
    const subscription = changed(
      sample('subscription.created').body,
      ['data', 'object', 'current_period_end'],
      {
        to: 1,
      },
    )
    expect((await send(payments, subscription)).events[0]?.data).toMatchObject({
      current_period_end: '1970-01-01T00:00:01.000Z',
    })
  })
})

describe('thin events', () => {
  const [succeededThin, deletedThin] = samples()
    .slice(-2)
    .map(({ body }) => body)

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
    const snapshot = changed(sample('subscription.deleted').body, ['id'], {
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
  const bodies = [succeeded, sample('charge.succeeded').body]
  const keys = bodies.map(
    (body) => (body as { request: { idempotency_key: string } }).request.idempotency_key,
  )
  expect(keys[0]).toBe(keys[1])
  const ids = await Promise.all(bodies.map(async (body) => (await send(payments, body)).events[0]?.id))
  expect(ids[0]).not.toBe(ids[1])
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples()) {
    const isThin = (one.body as { object: string }).object === 'v2.core.event'
    expect(requiredFields(payments, one)).toEqual(
      isThin
        ? ['id', 'object', 'related_object', 'related_object.id', 'type']
        : ['id', 'data', 'data.object', 'data.object.id', 'type'],
    )
  }
})

it('quarantines a known event that it cannot read', async () => {
  for (const path of [['id'], ['data'], ['data', 'object', 'id']]) {
    expect((await send(payments, changed(succeeded, path))).outcome).toBe('quarantined')
  }
})

describe('notify', () => {
  it.each([
    ['payment.succeeded', 'Payment of 25.98 EUR succeeded', 'info'],
    ['payment.failed', 'Payment of 25.98 EUR failed', 'warning'],
    ['charge.succeeded', 'Charged 25.98 EUR', 'info'],
    ['charge.refunded', 'Refunded 10.00 EUR of 25.98 EUR', 'info'],
    ['checkout.completed', 'Checkout completed: 49.00 EUR', 'info'],
    ['subscription.created', 'Subscription started: active', 'info'],
    ['subscription.updated', 'Subscription changed: active', 'info'],
    ['subscription.deleted', 'Subscription ended', 'warning'],
    ['invoice.paid', 'Invoice EXSHOP-0001 paid: 27.00 EUR', 'info'],
    ['invoice.payment_failed', 'Invoice EXSHOP-0002 not paid: 27.00 EUR', 'warning'],
  ])('announces %s: %s', async (kind, title, severity) => {
    expect(await createMessage(payments, sample(kind).body)).toMatchObject({ title, severity })
  })

  it('announces customer, reason and link', async () => {
    expect(await createMessage(payments, sample('payment.failed').body)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Payment",
            "url": "https://dashboard.stripe.com/test/payments/pi_3Rl5Ab2eZvKYlo2C0vWxYzAb",
          },
        ],
        "severity": "warning",
        "text": "Order 1043
      By customer@example.org
      Your card has insufficient funds.
      In test mode.",
        "title": "Payment of 25.98 EUR failed",
      }
    `)
    expect(await createMessage(payments, sample('invoice.payment_failed').body)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Invoice",
            "url": "https://dashboard.stripe.com/test/invoices/in_1RwJKl2eZvKYlo2CgHiJkLmN",
          },
        ],
        "severity": "warning",
        "text": "For Carla Customer
      The next attempt is on 2025-08-18
      In test mode.",
        "title": "Invoice EXSHOP-0002 not paid: 27.00 EUR",
      }
    `)
    expect(await createMessage(payments, sample('subscription.updated').body)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Subscription",
            "url": "https://dashboard.stripe.com/test/subscriptions/sub_1Rl7Ef2eZvKYlo2CqRsTuVwX",
          },
        ],
        "severity": "info",
        "text": "It ends on 2025-08-15
      In test mode.",
        "title": "Subscription changed: active",
      }
    `)
  })

  it.each([
    ['jpy', 2598, '2598 JPY'],
    ['kwd', 2598, '2.598 KWD'],
    ['usd', -5, '-0.05 USD'],
    ['isk', 100, '1.00 ISK'],
  ])('formats amounts of %s like the service', async (currency, amount, text) => {
    const body = changed(
      changed(succeeded, ['data', 'object', 'currency'], { to: currency }),
      ['data', 'object', 'amount'],
      {
        to: amount,
      },
    )
    expect((await createMessage(payments, body))?.title).toBe(`Payment of ${text} succeeded`)
  })

  it('warns of an unpaid subscription', async () => {
    const body = changed(sample('subscription.updated').body, ['data', 'object', 'status'], {
      to: 'past_due',
    })
    expect(await createMessage(payments, body)).toMatchObject({
      title: 'Subscription changed: past due',
      severity: 'warning',
    })
  })
})
