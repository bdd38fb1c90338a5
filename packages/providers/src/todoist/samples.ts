/**
 * Sample deliveries of Todoist.
 *
 * @module
 */
export { kinds, sample, samples } from '../tasks/samples.ts'
