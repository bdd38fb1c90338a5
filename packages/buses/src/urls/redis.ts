import { limitOf, type QueueEngine } from './bus-url.ts'

/** The bus on a stream of Redis, with the shared failure counts. The shared queue is a stream beside it. */
export const redisBus: QueueEngine = {
  form: 'redis://host:6379/0',
  clients: ['ioredis', 'rate-limiter-flexible'],
  accepts: isRedisAddress,
  async open(url, options, isQueue) {
    const { openRedis } = await import('../redis/index.ts')
    const redis = openRedis({ url, ...options })
    const name = parseName(url)
    const stream = isQueue ? `${name}-queue` : name
    const publisher = redis.bus({ stream, ...limitOf(options) })
    return {
      publisher,
      consumer: (consumerOptions) => redis.consumer({ ...consumerOptions, stream, workQueue: isQueue }),
      limiter: redis.failureLimiter({ prefix: `${name}:failures` }),
      ping: () => publisher.ping(),
      close: () => redis.close(),
    }
  },
}

/** Names that are valid in a key and in an address. */
const plainName = /^[A-Za-z0-9_-]{1,200}$/

/** `redis://host:6379[/DB][?name=NAME]`. */
function isRedisAddress({ hostname, pathname, search, searchParams, hash }: URL): boolean {
  const isNamed = search === '' || (searchParams.size === 1 && plainName.test(searchParams.get('name') ?? ''))
  return hostname !== '' && /^\/?\d{0,9}$/.test(pathname) && isNamed && hash === ''
}

/** Returns the prefix of all keys. Independent servers on one Redis need different prefixes. */
function parseName(url: string): string {
  return new URL(url).searchParams.get('name') ?? 'sallyport'
}
