/**
 * Sample deliveries of Stripe.
 *
 * @module
 */
export { kinds, sample, samples } from '../payments/samples.ts'
