import { describe, expect, it } from 'vitest'
import { createMessage } from '../test/send.ts'
import { samples } from './neutral/payments.samples.ts'
import { payments } from './neutral/payments.ts'

const event = (type: string, object: object, more: object = {}) => ({
  id: 'evt_1',
  type,
  data: { object: { id: 'obj_1', ...object } },
  ...more,
})
const announce = (body: unknown) => createMessage(payments, body)
const eur = { currency: 'eur' }

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
    expect(await createMessage(payments, samples.sample(kind).body)).toMatchObject({ title, severity })
  })

  it('announces customer, reason and link', async () => {
    expect(await createMessage(payments, samples.sample('payment.failed').body)).toMatchInlineSnapshot(`
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
    expect(await createMessage(payments, samples.sample('invoice.payment_failed').body))
      .toMatchInlineSnapshot(`
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
    expect(await createMessage(payments, samples.sample('subscription.updated').body)).toMatchInlineSnapshot(`
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
    ['jpy', '2598 JPY'],
    ['kwd', '2.598 KWD'],
    ['isk', '25.98 ISK'],
    ['clp', '2598 CLP'],
    ['krw', '2598 KRW'],
    ['bhd', '2.598 BHD'],
    ['tnd', '2.598 TND'],
    ['huf', '25.98 HUF'],
    ['euros', '25.98 EUR'],
    ['usd', '-0.05 USD', -5],
  ])('formats %s as %s', async (currency, sum, amount = 2598) => {
    const body = event('payment_intent.succeeded', { amount, currency })
    expect((await announce(body))?.title).toBe(`Payment of ${sum} succeeded`)
  })

  it.each([
    ['charge.refunded', { amount: 5, amount_refunded: 5, refunded: true, ...eur }, 'Refunded 0.05 EUR'],
    [
      'charge.refunded',
      { amount: 5, amount_refunded: 2, refunded: false, ...eur },
      'Refunded 0.02 EUR of 0.05 EUR',
    ],
    ['charge.succeeded', { amount: 5 }, 'Charged'],
    ['charge.succeeded', eur, 'Charged'],
    ['invoice.paid', { amount_due: 5, amount_paid: 4, ...eur }, 'Invoice paid: 0.04 EUR'],
    ['invoice.paid', { amount_due: 5, ...eur }, 'Invoice paid: 0.05 EUR'],
    ['customer.subscription.updated', { status: 'a_b_c' }, 'Subscription changed: a b c'],
    ['customer.subscription.updated', {}, 'Subscription changed'],
    ['customer.subscription.deleted', { status: 'canceled' }, 'Subscription ended'],
  ])('announces %s with %j: %s', async (type, object, title) => {
    expect((await announce(event(type, object)))?.title).toBe(title)
  })

  it.each(['past_due', 'unpaid', 'incomplete_expired'])(
    'warns of a subscription that is %s',
    async (status) => {
      expect((await announce(event('customer.subscription.updated', { status })))?.severity).toBe('warning')
    },
  )

  it.each([
    ['charge.succeeded', { billing_details: { name: 'Carla' }, receipt_email: 'c@x.de' }, 'From Carla'],
    ['charge.succeeded', { receipt_email: 'c@x.de' }, 'From c@x.de'],
    ['checkout.session.completed', { payment_status: 'unpaid' }, 'The payment is still pending.'],
    ['checkout.session.completed', { payment_status: 'paid' }, 'The event has no details.'],
    ['checkout.session.completed', { customer_details: { name: 'Carla', email: 'c@x.de' } }, 'By Carla'],
    ['customer.subscription.updated', { current_period_end: 1 }, 'The event has no details.'],
    [
      'customer.subscription.updated',
      { current_period_end: 1, cancel_at_period_end: true },
      'It ends on 1970-01-01',
    ],
    ['invoice.paid', { next_payment_attempt: 1 }, 'The event has no details.'],
    ['invoice.payment_failed', { next_payment_attempt: 1 }, 'The next attempt is on 1970-01-01'],
    [
      'payment_intent.payment_failed',
      {
        description: 'd'.repeat(301),
        last_payment_error: { message: 'm'.repeat(301) },
      },
      `${'d'.repeat(299)}…\n${'m'.repeat(299)}…`,
    ],
  ])('describes %s with %j: %s', async (type, object, text) => {
    expect((await announce(event(type, object)))?.text).toBe(text)
  })

  it('mentions test mode only for test events', async () => {
    const texts = [true, false, undefined].map(
      async (livemode) =>
        (await announce(event('charge.succeeded', { description: 'Order' }, { livemode })))?.text,
    )
    expect(await Promise.all(texts)).toEqual(['Order', 'Order\nIn test mode.', 'Order'])
  })

  it.each([
    ['charge.succeeded', {}, {}, 'payments/obj_1'],
    ['charge.succeeded', { payment_intent: 'pi_1' }, {}, 'payments/pi_1'],
    ['checkout.session.completed', { subscription: 'sub_1' }, {}, 'subscriptions/sub_1'],
    ['checkout.session.completed', { subscription: 'sub_1', payment_intent: 'pi_1' }, {}, 'payments/pi_1'],
    ['invoice.paid', { id: 'in/../1?' }, { livemode: true }, 'invoices/in%2F..%2F1%3F'],
    ['invoice.paid', {}, { account: 'acct_1', livemode: false }, 'acct_1/test/invoices/obj_1'],
  ])('links %s with %j and %j to %s', async (type, object, more, path) => {
    expect((await announce(event(type, object, more)))?.links).toMatchObject([
      { url: `https://dashboard.stripe.com/${path}` },
    ])
  })

  it('has no link without an object', async () => {
    expect((await announce(event('checkout.session.completed', {})))?.links).toEqual([])
  })
})
