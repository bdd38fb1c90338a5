import type * as z from 'zod'
import type { PaymentsEvent } from './envelope.ts'
import { chargeObject, checkoutSession, invoiceObject, paymentIntent, subscriptionObject } from './objects.ts'
import type { charge, checkout, invoice, payment, subscription } from './schemas.ts'

export function toPayment(event: PaymentsEvent): z.input<typeof payment> {
  const read = paymentIntent.parse(event.object)
  const error = read.last_payment_error
  return {
    payment_id: read.id,
    ...toCommon(event, read),
    amount: read.amount,
    customer_email: read.receipt_email,
    charge_id: read.latest_charge,
    invoice_id: read.invoice,
    failure_code: error?.decline_code ?? error?.code ?? null,
    failure_message: error?.message ?? null,
  }
}

export function toCharge(event: PaymentsEvent): z.input<typeof charge> {
  const read = chargeObject.parse(event.object)
  return {
    charge_id: read.id,
    ...toCommon(event, read),
    amount: read.amount,
    customer_name: read.billing_details?.name ?? null,
    customer_email: read.billing_details?.email ?? read.receipt_email,
    payment_id: read.payment_intent,
    amount_refunded: read.amount_refunded,
    refunded: read.refunded,
    receipt_url: read.receipt_url,
  }
}

export function toCheckout(event: PaymentsEvent): z.input<typeof checkout> {
  const read = checkoutSession.parse(event.object)
  return {
    session_id: read.id,
    ...toCommon(event, read),
    amount: read.amount_total,
    customer_name: read.customer_details?.name ?? null,
    customer_email: read.customer_details?.email ?? read.customer_email,
    mode: read.mode,
    payment_status: read.payment_status,
    client_reference_id: read.client_reference_id,
    payment_id: read.payment_intent,
    subscription_id: read.subscription,
    invoice_id: read.invoice,
  }
}

export function toSubscription(event: PaymentsEvent): z.input<typeof subscription> {
  const read = subscriptionObject.parse(event.object)
  const items = read.items?.data ?? []
  return {
    subscription_id: read.id,
    ...toCommon(event, read),
    items: items.map(({ price, quantity }) => ({
      price_id: price?.id ?? null,
      product_id: price?.product ?? null,
      quantity,
      unit_amount: price?.unit_amount ?? null,
    })),
    cancel_at_period_end: read.cancel_at_period_end,
    canceled_at: read.canceled_at,
    current_period_end: read.current_period_end ?? items[0]?.current_period_end ?? null,
    trial_end: read.trial_end,
  }
}

export function toInvoice(event: PaymentsEvent): z.input<typeof invoice> {
  const read = invoiceObject.parse(event.object)
  return {
    invoice_id: read.id,
    ...toCommon(event, read),
    amount: read.amount_due,
    customer_name: read.customer_name,
    customer_email: read.customer_email,
    number: read.number,
    amount_paid: read.amount_paid,
    amount_remaining: read.amount_remaining,
    subscription_id: read.subscription ?? read.parent?.subscription_details?.subscription ?? null,
    billing_reason: read.billing_reason,
    attempt_count: read.attempt_count,
    next_attempt_at: read.next_payment_attempt,
    url: read.hosted_invoice_url,
  }
}

interface CommonObject {
  readonly status: string | null
  readonly currency: string | null
  readonly customer: string | null
  readonly description: string | null
  readonly created: string | null
}

function toCommon(event: PaymentsEvent, object: CommonObject) {
  const { live, account_id, thin, occurred_at } = event
  return {
    live,
    account_id,
    thin,
    status: object.status,
    currency: object.currency,
    customer_id: object.customer,
    description: object.description,
    created_at: object.created,
    occurred_at,
  }
}
