/**
 * Sample deliveries of a deployment platform, from those of Vercel.
 *
 * @module
 */
import { createNeutralSamples } from '../neutral-samples.ts'
import recorded from '../services/vercel.samples.json' with { type: 'json' }
import { vercel } from '../services/vercel.ts'
import { deploy } from './deploy.ts'

export const samples = createNeutralSamples(deploy, vercel, recorded)
