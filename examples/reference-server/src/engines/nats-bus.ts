import type { BusEngine } from './engine.ts'
import { isNatsAddress, streamOf } from './nats-address.ts'

/** A stream of JetStream. */
export const natsBus: BusEngine = {
  form: 'nats://host:4222/STREAM',
  accepts: isNatsAddress,
  async open(url, surroundings) {
    const { openNats } = await import('@sallyport/nats')
    const nats = openNats({ url, ...surroundings })
    const publisher = nats.bus({ stream: streamOf(url) })
    return { publisher, ping: () => publisher.ping(), close: () => nats.close() }
  },
}
