import type { QueueEngine } from './engine.ts'
import { isNatsAddress, streamOf } from './nats-address.ts'

/** A work queue of JetStream, beside the stream of the bus: one address serves both. */
export const natsQueue: QueueEngine = {
  form: 'nats://host:4222/STREAM',
  accepts: isNatsAddress,
  async open(url, { onUnreadable: onError, ...surroundings }) {
    const { openNats } = await import('@sallyport/nats')
    const nats = openNats({ url, ...surroundings })
    const queue = nats.queue({ stream: `${streamOf(url)}_QUEUE`, onError })
    return { queue, ping: () => queue.ping(), close: () => nats.close() }
  },
}
