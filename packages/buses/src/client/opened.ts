import type { Consumer } from '@sallyport/webhooks/consumer'

interface Closable {
  close(): Promise<void>
}

/** The buses and consumers of a client that are not closed. */
interface Opened {
  readonly bus: <Bus extends Closable>(bus: Bus) => Bus
  readonly consumer: (consumer: Consumer) => Consumer
  /** Stops all consumers, and closes all buses after their running calls. */
  readonly close: () => Promise<unknown>
}

/** Creates the register of what a client has opened. */
export function createOpened(): Opened {
  const opened = new Set<Closable>()
  return {
    bus(bus) {
      opened.add(bus)
      return { ...bus, close: () => bus.close().finally(() => opened.delete(bus)) }
    },
    consumer(consumer) {
      const handle = { close: () => consumer.stop() }
      opened.add(handle)
      return { ...consumer, stop: () => consumer.stop().finally(() => opened.delete(handle)) }
    },
    close: () => Promise.all(Array.from(opened, (one) => one.close())),
  }
}
