/**
 * Sample deliveries of a customer inbox, in the shapes that Front documents.
 *
 * @module
 */
import { recordedSamples } from '../provider-samples.ts'
import { recorded } from './recorded.ts'

export const { kinds, sample, samples } = recordedSamples(recorded)
