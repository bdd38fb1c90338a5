import type { Service } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { send } from '../test/send.ts'
import { bitgo } from './services/bitgo.ts'
import { buyMeACoffee } from './services/buy-me-a-coffee.ts'
import { coinbaseCommerce } from './services/coinbase-commerce.ts'
import { lemonSqueezy } from './services/lemon-squeezy.ts'
import { method } from './services/method.ts'
import { modernTreasury } from './services/modern-treasury.ts'
import { paystack } from './services/paystack.ts'
import { quickbooks } from './services/quickbooks.ts'
import { recurly } from './services/recurly.ts'
import { revolut } from './services/revolut.ts'
import { strike } from './services/strike.ts'
import { xendit } from './services/xendit.ts'

const sendOne = async (provider: Service, body: unknown) =>
  (await send(provider, body)).events.map(({ id }) => id)

const account = { id: 'pz3mqw7xk4uf', object_type: 'account', event_type: 'updated' }
const order = (status: string) => ({
  meta: { event_name: 'order_refunded' },
  data: { type: 'orders', id: '1', attributes: { status, updated_at: '2026-01-01T12:00:00Z' } },
})
const payment = (status: string) => ({
  event: 'updated',
  data: { id: 'f8b2e9f1', object: 'payment_order', status, updated_at: '2026-01-01T12:00:00Z' },
})
const customer = { name: 'Customer', id: '1', operation: 'Update', lastUpdated: '2026-01-01T12:00:00Z' }
const company = (realmId: string) => ({
  eventNotifications: [{ realmId, dataChangeEvent: { entities: [customer] } }],
})
const identification = {
  event: 'customeridentification.failed',
  data: { customer_id: 1, reason: 'Incorrect' },
}
const reminder = { event: 'charge.dispute.remind', data: { id: 1, created_at: '2026-01-01T12:00:00Z' } }
const declined = { event: 'ORDER_PAYMENT_DECLINED', order_id: '9fc01989' }
const update = { id: 'acc_1', type: 'account.update', op: 'update', path: '/accounts/acc_1' }
const transfer = { type: 'transfer', wallet: '5859', transfer: '59cd', state: 'confirmed' }

describe('two changes', () => {
  // Regression: the second change was a duplicate of the first one.
  it.each<readonly [string, Service, unknown, unknown]>([
    [
      'one object of Recurly',
      recurly,
      { ...account, event_time: '2026-01-01T12:00:00Z' },
      { ...account, event_time: '2026-01-01T12:00:01Z' },
    ],
    ['one order of Lemon Squeezy in one second', lemonSqueezy, order('partial_refund'), order('refunded')],
    ['one payment of Modern Treasury in one second', modernTreasury, payment('sent'), payment('completed')],
    ['customers of two companies of QuickBooks', quickbooks, company('1'), company('2')],
    ['one customer of Paystack with equal bodies', paystack, identification, identification],
    ['one dispute of Paystack with equal bodies', paystack, reminder, reminder],
    ['one order of Revolut with equal bodies', revolut, declined, declined],
    ['one account of Method with equal bodies', method, update, update],
    ['one transfer of BitGo with equal bodies', bitgo, transfer, transfer],
  ])('of %s are two events', async (_, provider, first, second) => {
    const [one, other] = [await sendOne(provider, first), await sendOne(provider, second)]
    expect([one.length, other.length]).toEqual([1, 1])
    expect(other).not.toEqual(one)
  })
})

const charge = { id: 'b7d6', type: 'charge:confirmed' }
const invoice = { id: '2c5b6bc1', eventType: 'invoice.updated', created: '2026-01-01T12:00:00Z' }
const paid = { event: 'charge.success', data: { id: 1, created_at: '2026-01-01T12:00:00Z' } }
const changed = { event: 'TransactionStateChanged', timestamp: '2026-01-01T12:00:00Z', data: { id: '9a64' } }
const donation = { type: 'donation.created', event_id: 1001 }

describe('two attempts', () => {
  it.each<readonly [string, Service, unknown, unknown]>([
    ['Buy Me a Coffee', buyMeACoffee, { ...donation, attempt: 1 }, { ...donation, attempt: 2 }],
    [
      'Coinbase Commerce',
      coinbaseCommerce,
      { id: 1, scheduled_for: '2026-01-01T12:00:00Z', attempt_number: 1, event: charge },
      { id: 2, scheduled_for: '2026-01-01T12:05:00Z', attempt_number: 2, event: charge },
    ],
    ['Strike', strike, { ...invoice, deliverySuccess: true }, { ...invoice, deliverySuccess: false }],
    ['Paystack', paystack, paid, paid],
    ['Revolut', revolut, changed, changed],
    ['Method', method, { ...update, event: 'evt_1' }, { ...update, event: 'evt_1' }],
  ])('of one delivery of %s are one event', async (_, provider, first, second) => {
    const one = await sendOne(provider, first)
    expect(one).toHaveLength(1)
    expect(await sendOne(provider, second)).toEqual(one)
  })
})

describe('a body of Xendit without a name of the event', () => {
  it.each([
    ['an invoice', { external_id: 'invoice-1', merchant_name: 'Example', status: 'PAID' }, 'invoice.paid'],
    ['a disbursement', { external_id: 'payout-1', bank_code: 'BCA', status: 'COMPLETED' }, 'unknown'],
  ])('gives the kind of %s', (_, payload, kind) => {
    const delivery = { payload, headers: new Headers(), body: new Uint8Array(), receivedAt: 0 }
    expect(xendit.normalize(delivery)).toMatchObject([{ kind }])
  })
})
