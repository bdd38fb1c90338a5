import type { ConsumerState } from '@sallyport/webhooks/consumer'

/** Creates the state of a consumer with failing events and dead letters. */
export const createState = (name: string, oldestPendingAt: number): ConsumerState => ({
  ...{ name, oldestPendingAt, position: 7, pending: 2, waiting: 2, failing: 1, deadLetters: 3 },
  lastError: 'RangeError',
  process: 'worker-1:4711',
})
