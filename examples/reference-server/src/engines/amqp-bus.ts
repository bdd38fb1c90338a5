import { isAmqpAddress, partsOf } from './amqp-address.ts'
import type { BusEngine } from './engine.ts'

/** An exchange of RabbitMQ. */
export const amqpBus: BusEngine = {
  form: 'amqp://host:5672/VHOST',
  accepts: isAmqpAddress,
  async open(address, surroundings) {
    const { openAmqp } = await import('@sallyport/amqp')
    const { url, ...bus } = partsOf(address)
    const amqp = openAmqp({ url, ...surroundings })
    const publisher = amqp.bus(bus)
    return { publisher, ping: () => publisher.ping(), close: () => amqp.close() }
  },
}
