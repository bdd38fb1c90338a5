/**
 * A publisher that adds events as jobs to a queue of BullMQ.
 *
 * @module
 */
export { createBullmqPublisher, toBullmqJobId } from './publisher.ts'
