/**
 * Sample deliveries of a payments provider, from those of Stripe.
 *
 * @module
 */
import { createNeutralSamples } from '../neutral-samples.ts'
import recorded from '../services/stripe.samples.json' with { type: 'json' }
import { stripe } from '../services/stripe.ts'
import { payments } from './payments.ts'

export const samples = createNeutralSamples(payments, stripe, recorded, {
  id: ['id', 'snapshot_event'],
})
