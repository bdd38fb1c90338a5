import { limitOf, readEngineAddress, type QueueEngine } from './bus-url.ts'

/** The bus on a stream of JetStream. The shared queue is a stream beside it: one address may name both. */
export const natsBus: QueueEngine = {
  form: 'nats://host:4222/STREAM',
  clients: ['@nats-io/transport-node', '@nats-io/jetstream'],
  accepts: isNatsAddress,
  hasSeveralHosts: true,
  async open(address, options, isQueue) {
    const { openNats } = await import('../nats/index.ts')
    const { url, stream } = parseNatsAddress(address)
    const nats = openNats({ url, ...options })
    const own = { stream: isQueue ? `${stream}_QUEUE` : stream, workQueue: isQueue }
    const publisher = nats.bus({ ...own, ...limitOf(options) })
    return {
      publisher,
      consumer: (consumerOptions) => nats.consumer({ ...consumerOptions, ...own }),
      ping: () => publisher.ping(),
      close: () => nats.close(),
    }
  },
}

/** Names of streams that are valid in a file system, in a subject and in an address. */
const streamPath = /^\/?$|^\/([A-Za-z0-9_-]{1,200})$/

/** `nats://host:4222[,host2:4222][/STREAM]`. */
function isNatsAddress({ hostname, pathname, search, hash }: URL): boolean {
  return hostname !== '' && streamPath.test(pathname) && search === '' && hash === ''
}

/** Splits an address into a URL per server, of which the first has the credentials, and the name of the stream. */
function parseNatsAddress(address: string): { readonly url: readonly string[]; readonly stream: string } {
  const { url, hosts } = readEngineAddress(address)
  const stream = streamPath.exec(url.pathname)?.[1] ?? 'SALLYPORT'
  return { url: [url.href, ...hosts.slice(1).map((host) => `nats://${host}`)], stream }
}
