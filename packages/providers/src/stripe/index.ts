/**
 * Stripe.
 *
 * Signed by HMAC-SHA256 of the time and the body, in hexadecimal after `v1=`. The secret is the signing
 * secret of the endpoint, `whsec_` and all.
 *
 * @module
 */
import { createPayments } from '../payments/provider.ts'

/** @see https://docs.stripe.com/webhooks */
export const stripe = createPayments({ name: 'stripe', header: 'stripe-signature' })
