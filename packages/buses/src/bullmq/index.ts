/**
 * A publisher that adds events as jobs to a queue of BullMQ.
 *
 * @module
 */
export {
  createBullmqPublisher,
  toBullmqJobId,
  type BullmqPublisherOptions,
  type BullmqQueue,
} from './publisher.ts'
