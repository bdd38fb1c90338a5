import {
  defineProvider,
  hmac,
  signedTime,
  structuredHeader,
  type NormalizedEvent,
  type Provider,
} from '@sallyport/webhooks'
import { occurredAt } from '../time.ts'
import { happeningOf, typeOf, type Happening } from './envelope.ts'
import { chargeOf, checkoutOf, invoiceOf, paymentOf, subscriptionOf } from './normalize.ts'
import { notify } from './notify.ts'
import { paymentsEvents, type PaymentsEvents } from './schemas.ts'

export interface PaymentsOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'payments' */
  readonly name?: Name
  /** The header that carries the signature. @default 'payments-signature' */
  readonly header?: string
}

/**
 * A payments provider: Stripe, or a service that signs and speaks as it does.
 *
 * - Signature: HMAC-SHA256 over the time, a dot and the raw body, lower-case hexadecimal, in a header of fields
 *   (`t=…,v1=…`); while secrets rotate there are several `v1`, of which any may hold. 300 seconds of tolerance, in the
 *   past and in the future. The key is the endpoint's signing secret, `whsec_` and all.
 * - Snapshots hold the object as it was; thin events (`v2.core.event`) name it, and their other details are null. Key: the
 *   event's id (`evt_…`); of a thin event, the one of its snapshot where it tells it, so that an endpoint for both forms
 *   yields one event. Never the API call's idempotency key, which several events share.
 *
 * Deliveries are tried again for up to three days, in any order.
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
    normalize({ payload }) {
      const eventOf = readers.get(typeOf(payload))
      return eventOf === undefined ? [] : eventOf(happeningOf(payload))
    },
    notify,
  })
}

/** The payments provider under its own name. */
export const payments = createPayments()

type Reader = (happening: Happening) => NormalizedEvent<PaymentsEvents>

const paymentReader =
  (kind: 'payment.succeeded' | 'payment.failed'): Reader =>
  (happening) => {
    const data = paymentOf(happening)
    return { kind, ...whatHappened(happening, data.payment_id), data }
  }

const chargeReader =
  (kind: 'charge.succeeded' | 'charge.refunded'): Reader =>
  (happening) => {
    const data = chargeOf(happening)
    return { kind, ...whatHappened(happening, data.charge_id), data }
  }

const checkoutReader: Reader = (happening) => {
  const data = checkoutOf(happening)
  return { kind: 'checkout.completed', ...whatHappened(happening, data.session_id), data }
}

const subscriptionReader =
  (kind: 'subscription.created' | 'subscription.updated' | 'subscription.deleted'): Reader =>
  (happening) => {
    const data = subscriptionOf(happening)
    return { kind, ...whatHappened(happening, data.subscription_id), data }
  }

const invoiceReader =
  (kind: 'invoice.paid' | 'invoice.payment_failed'): Reader =>
  (happening) => {
    const data = invoiceOf(happening)
    return { kind, ...whatHappened(happening, data.invoice_id), data }
  }

/** By the service's own types. */
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

function whatHappened({ id, occurred_at }: Happening, subject: string) {
  return { key: [id], subject, ...occurredAt(occurred_at) }
}
