/**
 * Stripe: the payments provider under its real name, with its real header.
 *
 * Signed by HMAC-SHA256 of the time and the body, in hexadecimal after `v1=`.
 *
 * @module
 */
import { createPayments } from '../payments/provider.ts'

/** @see https://docs.stripe.com/webhooks */
export const stripe = createPayments({ name: 'stripe', header: 'stripe-signature' })
