import {
  defineProvider,
  hmac,
  signedTime,
  structuredHeader,
  type NormalizedEvent,
  type Provider,
} from '@sallyport/webhooks'
import { readText } from '../fields.ts'
import { occurredAt } from '../time.ts'
import { parseEvent, getEventType, type PaymentsEvent } from './envelope.ts'
import { toCharge, toCheckout, toInvoice, toPayment, toSubscription } from './normalize.ts'
import { notify } from './notify.ts'
import { paymentsEvents, type PaymentsEvents } from './schemas.ts'

export interface PaymentsOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'payments' */
  readonly name?: Name
  /** The header that carries the signature. @default 'payments-signature' */
  readonly header?: string
}

/**
 * A payments provider: Stripe, or a service with the same signature and payloads.
 *
 * - Signature: HMAC-SHA256 over the time, a dot and the raw body, lower-case hexadecimal, in a header of fields
 *   (`t=…,v1=…`). During secret rotation the header has several `v1`, and any of them may match. The tolerance is 300
 *   seconds in both directions. The key is the endpoint's signing secret, including `whsec_`.
 * - Snapshots contain the object. Thin events (`v2.core.event`) reference it, and their other details are null. Key: the id
 *   of the event (`evt_…`); for a thin event the id of its snapshot if present, so that an endpoint with both forms yields
 *   one event. The idempotency key of the API call is not used because several events share it.
 *
 * The service retries for up to three days and does not preserve the order.
 *
 * @throws TypeError when the name is malformed
 *
 * @example
 * ```ts
 * import { createPayments } from '@sallyport/providers/payments'
 *
 * export const till = createPayments({ name: 'till', header: 'till-signature' })
 * ```
 *
 * @see https://docs.stripe.com/webhooks/signature
 * @see https://docs.stripe.com/api/events/types
 */
export function createPayments<const Name extends string = 'payments'>(
  options: PaymentsOptions<Name> = {},
): Provider<PaymentsEvents, Name> {
  const { name = 'payments' as Name, header = 'payments-signature' } = options
  return defineProvider<PaymentsEvents, Name>({
    name,
    signature: hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: structuredHeader(header, { timestamp: 't', signature: 'v1' }),
      timestamp: signedTime({ toleranceSeconds: 300 }),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    }),
    events: paymentsEvents,
    readKind: ({ payload }) => readText(payload, 'type'),
    normalize({ payload }) {
      const getEvent = readers.get(getEventType(payload))
      return getEvent === undefined ? [] : getEvent(parseEvent(payload))
    },
    notify,
  })
}

/** The payments provider with its default name. */
export const payments = createPayments()

type Reader = (event: PaymentsEvent) => NormalizedEvent<PaymentsEvents>

const paymentReader =
  (kind: 'payment.succeeded' | 'payment.failed'): Reader =>
  (event) => {
    const data = toPayment(event)
    return { kind, ...eventFields(event, data.payment_id), data }
  }

const chargeReader =
  (kind: 'charge.succeeded' | 'charge.refunded'): Reader =>
  (event) => {
    const data = toCharge(event)
    return { kind, ...eventFields(event, data.charge_id), data }
  }

const checkoutReader: Reader = (event) => {
  const data = toCheckout(event)
  return { kind: 'checkout.completed', ...eventFields(event, data.session_id), data }
}

const subscriptionReader =
  (kind: 'subscription.created' | 'subscription.updated' | 'subscription.deleted'): Reader =>
  (event) => {
    const data = toSubscription(event)
    return { kind, ...eventFields(event, data.subscription_id), data }
  }

const invoiceReader =
  (kind: 'invoice.paid' | 'invoice.payment_failed'): Reader =>
  (event) => {
    const data = toInvoice(event)
    return { kind, ...eventFields(event, data.invoice_id), data }
  }

/** The readers by the service's event type. */
const readers = new Map<string | undefined, Reader>([
  ['payment_intent.succeeded', paymentReader('payment.succeeded')],
  ['payment_intent.payment_failed', paymentReader('payment.failed')],
  ['charge.succeeded', chargeReader('charge.succeeded')],
  ['charge.refunded', chargeReader('charge.refunded')],
  ['checkout.session.completed', checkoutReader],
  ['customer.subscription.created', subscriptionReader('subscription.created')],
  ['customer.subscription.updated', subscriptionReader('subscription.updated')],
  ['customer.subscription.deleted', subscriptionReader('subscription.deleted')],
  ['invoice.paid', invoiceReader('invoice.paid')],
  ['invoice.payment_failed', invoiceReader('invoice.payment_failed')],
])

function eventFields({ id, occurred_at }: PaymentsEvent, subject: string) {
  return { key: [id], subject, ...occurredAt(occurred_at) }
}
