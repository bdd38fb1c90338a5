/**
 * Sample deliveries of GitHub.
 *
 * @module
 */
export { kinds, sample, samples } from '../codehost/samples.ts'
