import { z } from 'zod'

// What consumers get. Amounts are in the smallest unit of their currency, as the service tells them.

const common = {
  /** Whether it is about real money. */
  live: z.boolean().nullable(),
  /** The connected account that it happened in; null for one's own. */
  account_id: z.string().nullable(),
  /**
   * Whether the service told only which object it is about: all other details are null then, and to be fetched from its
   * API.
   */
  thin: z.boolean(),
  status: z.string().nullable(),
  /** ISO 4217 in lower case, such as `eur`. */
  currency: z.string().nullable(),
  customer_id: z.string().nullable(),
  description: z.string().nullable(),
  /** When the object was made. */
  created_at: z.string().nullable(),
  occurred_at: z.string().nullable(),
}

/** The data of `payment.succeeded` and `payment.failed`: a payment intent. */
export const payment = z.object({
  payment_id: z.string(),
  ...common,
  amount: z.int().nullable(),
  customer_email: z.string().nullable(),
  charge_id: z.string().nullable(),
  invoice_id: z.string().nullable(),
  /** Why the last attempt failed, as a word such as `card_declined`. */
  failure_code: z.string().nullable(),
  /** Why the last attempt failed, for people. */
  failure_message: z.string().nullable(),
})

/** The data of `charge.succeeded` and `charge.refunded`. */
export const charge = z.object({
  charge_id: z.string(),
  ...common,
  amount: z.int().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  payment_id: z.string().nullable(),
  /** All that was refunded so far. */
  amount_refunded: z.int().nullable(),
  /** Whether all of it was refunded. */
  refunded: z.boolean().nullable(),
  receipt_url: z.string().nullable(),
})

/** The data of `checkout.completed`: a checkout session. Its payment may still be under way. */
export const checkout = z.object({
  session_id: z.string(),
  ...common,
  amount: z.int().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** `payment`, `setup` or `subscription`. */
  mode: z.string().nullable(),
  /** `paid`, `unpaid` or `no_payment_required`. */
  payment_status: z.string().nullable(),
  /** What the shop gave the session to know it by. */
  client_reference_id: z.string().nullable(),
  payment_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  invoice_id: z.string().nullable(),
})

/** The data of `subscription.created`, `subscription.updated` and `subscription.deleted`. */
export const subscription = z.object({
  subscription_id: z.string(),
  ...common,
  items: z.array(
    z.object({
      price_id: z.string().nullable(),
      product_id: z.string().nullable(),
      quantity: z.int().nullable(),
      /** Of one; null where it depends on how many. */
      unit_amount: z.int().nullable(),
    }),
  ),
  cancel_at_period_end: z.boolean().nullable(),
  canceled_at: z.string().nullable(),
  current_period_end: z.string().nullable(),
  trial_end: z.string().nullable(),
})

/** The data of `invoice.paid` and `invoice.payment_failed`; `amount` is what is due in all. */
export const invoice = z.object({
  invoice_id: z.string(),
  ...common,
  amount: z.int().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** What is written on it. */
  number: z.string().nullable(),
  amount_paid: z.int().nullable(),
  amount_remaining: z.int().nullable(),
  subscription_id: z.string().nullable(),
  /** What it was made for, such as `subscription_cycle`. */
  billing_reason: z.string().nullable(),
  attempt_count: z.int().nullable(),
  /** When the service tries again. */
  next_attempt_at: z.string().nullable(),
  /** Where the customer sees it. */
  url: z.string().nullable(),
})

/** The kinds of event of a payments provider, each with the schema of its data. */
export const paymentsEvents = {
  'payment.succeeded': payment,
  'payment.failed': payment,
  'charge.succeeded': charge,
  'charge.refunded': charge,
  'checkout.completed': checkout,
  'subscription.created': subscription,
  'subscription.updated': subscription,
  'subscription.deleted': subscription,
  'invoice.paid': invoice,
  'invoice.payment_failed': invoice,
}
export type PaymentsEvents = typeof paymentsEvents
