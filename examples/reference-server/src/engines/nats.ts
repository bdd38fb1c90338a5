import type { BusEngine, QueueEngine } from './engine.ts'

/** The bus on a stream of JetStream. */
export const natsBus: BusEngine = {
  form: 'nats://host:4222/STREAM',
  accepts: isNatsAddress,
  async open(url, context) {
    const { openNats } = await import('@sallyport/nats')
    const nats = openNats({ url, ...context })
    const publisher = nats.bus({ stream: parseStream(url) })
    return { publisher, ping: () => publisher.ping(), close: () => nats.close() }
  },
}

/** The shared queue on a work queue of JetStream. One address may name the bus and the queue. */
export const natsQueue: QueueEngine = {
  form: 'nats://host:4222/STREAM',
  accepts: isNatsAddress,
  async open(url, { onUnreadable: onError, ...context }) {
    const { openNats } = await import('@sallyport/nats')
    const nats = openNats({ url, ...context })
    const queue = nats.queue({ stream: `${parseStream(url)}_QUEUE`, onError })
    return { queue, ping: () => queue.ping(), close: () => nats.close() }
  },
}

/** Names of streams that are valid in a file system, in a subject and in an address. */
const streamPath = /^\/?$|^\/([A-Za-z0-9_-]{1,200})$/

/** `nats://host:4222[/STREAM]`. */
function isNatsAddress({ hostname, pathname, search, hash }: URL): boolean {
  return hostname !== '' && streamPath.test(pathname) && search === '' && hash === ''
}

/** Returns the name of the stream in an address. */
function parseStream(url: string): string {
  return streamPath.exec(new URL(url).pathname)?.[1] ?? 'SALLYPORT'
}
