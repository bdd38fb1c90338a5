import * as z from 'zod'
import { readPath } from './agreement.ts'
import { computed, count, data, flag, integer, list, required, text, time } from './fields.ts'
import { kind, type EventsOf } from './mapping.ts'

// Payloads are objects of the API of the service, with their event as the member `event`. API versions have moved some fields,
// so both locations are read.

/** The id of another object, which may be expanded to the object. */
const reference = (path: string) => text(path, `${path}.id`)
const objectId = required(text('id'))

/** Amounts are in the smallest unit of their currency, as the service sends them. */
const common = {
  /** Whether the event is from live mode. */
  live: flag('event.livemode'),
  /** The connected account of the event; null for the own account. */
  account_id: text('event.account', 'event.context'),
  /**
   * Whether the event only references the object. All other details are then null; fetch them from the API of the
   * service.
   */
  thin: computed(z.boolean(), (payload) => isThin(readPath(payload, 'event'))),
  status: text('status'),
  /** ISO 4217 in lower case, such as `eur`. */
  currency: text('currency'),
  customer_id: reference('customer'),
  description: text('description'),
  /** The creation time of the object. */
  created_at: time('created'),
  occurred_at: time('event.created'),
}

/** The data of `payment.succeeded` and `payment.failed`: a payment intent. */
const payment = data({
  payment_id: objectId,
  ...common,
  amount: integer('amount'),
  customer_email: text('receipt_email'),
  charge_id: reference('latest_charge'),
  invoice_id: reference('invoice'),
  /** The code of the last failure, such as `card_declined`. */
  failure_code: text('last_payment_error.decline_code', 'last_payment_error.code'),
  /** The message of the last failure. */
  failure_message: text('last_payment_error.message'),
})

/** The data of `charge.succeeded` and `charge.refunded`. */
const charge = data({
  charge_id: objectId,
  ...common,
  amount: integer('amount'),
  customer_name: text('billing_details.name'),
  customer_email: text('billing_details.email', 'receipt_email'),
  payment_id: reference('payment_intent'),
  /** The total refunded amount. */
  amount_refunded: integer('amount_refunded'),
  /** Whether the charge is fully refunded. */
  refunded: flag('refunded'),
  receipt_url: text('receipt_url'),
})

/** The data of `checkout.completed`: a checkout session. The payment may still be pending. */
const checkout = data({
  session_id: objectId,
  ...common,
  amount: integer('amount_total'),
  customer_name: text('customer_details.name'),
  customer_email: text('customer_details.email', 'customer_email'),
  /** `payment`, `setup` or `subscription`. */
  mode: text('mode'),
  /** `paid`, `unpaid` or `no_payment_required`. */
  payment_status: text('payment_status'),
  /** The reference that the shop set on the session. */
  client_reference_id: text('client_reference_id'),
  payment_id: reference('payment_intent'),
  subscription_id: reference('subscription'),
  invoice_id: reference('invoice'),
})

const item = data({
  price_id: text('price.id'),
  product_id: reference('price.product'),
  quantity: count('quantity'),
  /** The price of one unit; null if it depends on the quantity. */
  unit_amount: integer('price.unit_amount'),
})

/** The data of `subscription.created`, `subscription.updated` and `subscription.deleted`. */
const subscription = data({
  subscription_id: objectId,
  ...common,
  items: list('items.data', item),
  cancel_at_period_end: flag('cancel_at_period_end'),
  canceled_at: time('canceled_at'),
  current_period_end: time('current_period_end', 'items.data.0.current_period_end'),
  trial_end: time('trial_end'),
})

/** The data of `invoice.paid` and `invoice.payment_failed`. `amount` is the total amount due. */
const invoice = data({
  invoice_id: objectId,
  ...common,
  amount: integer('amount_due'),
  customer_name: text('customer_name'),
  customer_email: text('customer_email'),
  /** The printed invoice number. */
  number: text('number'),
  amount_paid: integer('amount_paid'),
  amount_remaining: integer('amount_remaining'),
  subscription_id: text(
    ...['subscription', 'parent.subscription_details.subscription'].flatMap((path) => [path, `${path}.id`]),
  ),
  /** The reason for the invoice, such as `subscription_cycle`. */
  billing_reason: text('billing_reason'),
  attempt_count: count('attempt_count'),
  /** The time of the next payment attempt. */
  next_attempt_at: time('next_payment_attempt'),
  /** The address of the invoice page for the customer. */
  url: text('hosted_invoice_url'),
})

export const kinds = {
  'payment.succeeded': kind(['payment_intent.succeeded'], payment),
  'payment.failed': kind(['payment_intent.payment_failed'], payment),
  'charge.succeeded': kind(['charge.succeeded'], charge),
  'charge.refunded': kind(['charge.refunded'], charge),
  'checkout.completed': kind(['checkout.session.completed'], checkout),
  'subscription.created': kind(['customer.subscription.created'], subscription),
  'subscription.updated': kind(['customer.subscription.updated'], subscription),
  'subscription.deleted': kind(['customer.subscription.deleted'], subscription),
  'invoice.paid': kind(['invoice.paid'], invoice),
  'invoice.payment_failed': kind(['invoice.payment_failed'], invoice),
}

/** The kinds of events of a payments provider with the schemas of their data. */
export type PaymentsEvents = EventsOf<typeof kinds>

export const isThin = (event: unknown): boolean => readPath(event, 'object') === 'v2.core.event'
