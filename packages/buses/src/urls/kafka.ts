import { limitOf, readEngineAddress, type BusEngine } from './bus-url.ts'

/** The bus on a topic of Kafka. */
export const kafkaBus: BusEngine = {
  form: 'kafka://host:9092,host2:9092/TOPIC',
  clients: ['@platformatic/kafka'],
  accepts: isKafkaAddress,
  hasSeveralHosts: true,
  async open(address, options) {
    const { openKafka } = await import('../kafka/index.ts')
    const { server, topic } = parseKafkaAddress(address)
    const kafka = openKafka({ ...server, ...options })
    const publisher = kafka.bus({ topic, ...limitOf(options) })
    return { publisher, ping: () => publisher.ping(), close: () => kafka.close() }
  },
}

const topicPath = /^\/?$|^\/([A-Za-z0-9_-]{1,200})$/
const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

/** `kafka://[user:password@]host:9092[,host2:9092][/TOPIC][?sasl=MECHANISM]`. */
function isKafkaAddress(url: URL): boolean {
  const { hostname, username, password, pathname, search, hash } = url
  const hasMechanism = search === '' || (findMechanism(url) !== undefined && username !== '')
  const isComplete = (username === '') === (password === '') && hasMechanism
  return hostname !== '' && topicPath.test(pathname) && isComplete && hash === ''
}

function findMechanism({ searchParams }: URL) {
  return searchParams.size === 1 ? mechanisms.find((one) => one === searchParams.get('sasl')) : undefined
}

/** Splits an address into the options of the client and the topic. */
function parseKafkaAddress(address: string) {
  const { url } = readEngineAddress(address)
  const mechanism = findMechanism(url)
  const [username = '', password = ''] = [url.username, url.password].map(decodeURIComponent)
  return {
    topic: topicPath.exec(url.pathname)?.[1] ?? 'sallyport',
    server: {
      url: address.replace(/\?[^]*/, ''),
      ...(mechanism && { sasl: { mechanism, username, password } }),
    },
  }
}
