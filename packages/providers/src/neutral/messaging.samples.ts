/**
 * Sample deliveries of a customer inbox, from those of a rule of Front.
 *
 * @module
 */
import { createNeutralSamples } from '../neutral-samples.ts'
import recorded from '../services/front.samples.json' with { type: 'json' }
import { front } from '../services/front.ts'
import { messaging } from './messaging.ts'

export const samples = createNeutralSamples(messaging, front, recorded)
