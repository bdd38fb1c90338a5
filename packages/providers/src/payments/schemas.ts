import * as z from 'zod'

// Data of published events. Amounts are in the smallest unit of their currency, as the service sends them.

const common = {
  /** Whether the event is from live mode. */
  live: z.boolean().nullable(),
  /** The connected account of the event; null for the own account. */
  account_id: z.string().nullable(),
  /**
   * Whether the event only references the object. All other details are then null; fetch them from the API of the
   * service.
   */
  thin: z.boolean(),
  status: z.string().nullable(),
  /** ISO 4217 in lower case, such as `eur`. */
  currency: z.string().nullable(),
  customer_id: z.string().nullable(),
  description: z.string().nullable(),
  /** The creation time of the object. */
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
  /** The code of the last failure, such as `card_declined`. */
  failure_code: z.string().nullable(),
  /** The message of the last failure. */
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
  /** The total refunded amount. */
  amount_refunded: z.int().nullable(),
  /** Whether the charge is fully refunded. */
  refunded: z.boolean().nullable(),
  receipt_url: z.string().nullable(),
})

/** The data of `checkout.completed`: a checkout session. The payment may still be pending. */
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
  /** The reference that the shop set on the session. */
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
      /** The price of one unit; null if it depends on the quantity. */
      unit_amount: z.int().nullable(),
    }),
  ),
  cancel_at_period_end: z.boolean().nullable(),
  canceled_at: z.string().nullable(),
  current_period_end: z.string().nullable(),
  trial_end: z.string().nullable(),
})

/** The data of `invoice.paid` and `invoice.payment_failed`. `amount` is the total amount due. */
export const invoice = z.object({
  invoice_id: z.string(),
  ...common,
  amount: z.int().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  /** The printed invoice number. */
  number: z.string().nullable(),
  amount_paid: z.int().nullable(),
  amount_remaining: z.int().nullable(),
  subscription_id: z.string().nullable(),
  /** The reason for the invoice, such as `subscription_cycle`. */
  billing_reason: z.string().nullable(),
  attempt_count: z.int().nullable(),
  /** The time of the next payment attempt. */
  next_attempt_at: z.string().nullable(),
  /** The address of the invoice page for the customer. */
  url: z.string().nullable(),
})

/** The kinds of events of a payments provider with the schemas of their data. */
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
