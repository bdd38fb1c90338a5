/**
 * Sample deliveries of Vercel.
 *
 * @module
 */
export { kinds, sample, samples } from '../deploy/samples.ts'
