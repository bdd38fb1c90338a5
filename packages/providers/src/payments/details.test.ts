import { describe, expect, it } from 'vitest'
import { send } from '../../test/send.ts'
import { payments } from './index.ts'

const event = (type: string, object: object, more: object = {}) => ({
  id: 'evt_1',
  type,
  data: { object: { id: 'obj_1', ...object } },
  ...more,
})
const toData = async (body: unknown) => (await send(payments, body)).events[0]?.data

describe('the data of an object', () => {
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
    ['invoice.paid', { amount_due: 3, amount_paid: 2, amount_remaining: 1 }, { amount: 3, amount_paid: 2 }],
    [
      'invoice.paid',
      { parent: { subscription_details: { subscription: { id: 'sub_1' } } } },
      { subscription_id: 'sub_1' },
    ],
  ])('of %s with %j', async (type, object, expected) => {
    expect(await toData(event(type, object))).toMatchObject(expected)
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
