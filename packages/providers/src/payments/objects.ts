import * as z from 'zod'
import {
  validElements,
  optional,
  optionalCount,
  optionalFlag,
  optionalPart,
  optionalText,
  text,
} from '../fields.ts'
import { optionalSeconds } from '../time.ts'

// The fields that are read from API objects. API versions have moved some fields, so both locations are read.

/** The id of another object, which may be expanded to the object. */
const optionalReference = optional(z.union([text, z.object({ id: text }).transform(({ id }) => id)]))
const optionalAmount = optional(z.int())

const common = {
  id: text,
  status: optionalText,
  currency: optionalText,
  customer: optionalReference,
  description: optionalText,
  created: optionalSeconds,
}

export const paymentIntent = z.object({
  ...common,
  amount: optionalAmount,
  latest_charge: optionalReference,
  invoice: optionalReference,
  receipt_email: optionalText,
  last_payment_error: optionalPart({
    code: optionalText,
    decline_code: optionalText,
    message: optionalText,
  }),
})

export const chargeObject = z.object({
  ...common,
  amount: optionalAmount,
  amount_refunded: optionalAmount,
  refunded: optionalFlag,
  payment_intent: optionalReference,
  receipt_email: optionalText,
  receipt_url: optionalText,
  billing_details: optionalPart({ name: optionalText, email: optionalText }),
})

export const checkoutSession = z.object({
  ...common,
  amount_total: optionalAmount,
  mode: optionalText,
  payment_status: optionalText,
  client_reference_id: optionalText,
  payment_intent: optionalReference,
  subscription: optionalReference,
  invoice: optionalReference,
  customer_email: optionalText,
  customer_details: optionalPart({ name: optionalText, email: optionalText }),
})

export const subscriptionObject = z.object({
  ...common,
  cancel_at_period_end: optionalFlag,
  canceled_at: optionalSeconds,
  current_period_end: optionalSeconds,
  trial_end: optionalSeconds,
  items: optionalPart({
    data: validElements(
      z.object({
        quantity: optionalCount,
        current_period_end: optionalSeconds,
        price: optionalPart({ id: optionalText, product: optionalReference, unit_amount: optionalAmount }),
      }),
    ),
  }),
})

export const invoiceObject = z.object({
  ...common,
  number: optionalText,
  amount_due: optionalAmount,
  amount_paid: optionalAmount,
  amount_remaining: optionalAmount,
  subscription: optionalReference,
  parent: optionalPart({ subscription_details: optionalPart({ subscription: optionalReference }) }),
  billing_reason: optionalText,
  attempt_count: optionalCount,
  next_payment_attempt: optionalSeconds,
  hosted_invoice_url: optionalText,
  customer_name: optionalText,
  customer_email: optionalText,
})
