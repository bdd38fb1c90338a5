/**
 * Stripe under the neutral name `payments`, and compatible services.
 *
 * Signed by HMAC-SHA256 of the time and the body, in hexadecimal after `v1=`. The secret is the signing
 * secret of the endpoint, `whsec_` and all.
 *
 * @module
 */
export { createPayments, payments, type PaymentsOptions } from './provider.ts'
export { charge, checkout, invoice, payment, subscription, type PaymentsEvents } from './schemas.ts'
