/**
 * Sample deliveries of Front.
 *
 * @module
 */
export { kinds, sample, samples } from '../messaging/samples.ts'
