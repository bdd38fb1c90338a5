import { isDecodable } from '@sallyport/internal/decodable'
import { limitOf, type QueueEngine } from './bus-url.ts'

/** The bus on an exchange of RabbitMQ. The shared queue is another exchange. */
export const amqpBus: QueueEngine = {
  form: 'amqp://host:5672/VHOST',
  clients: ['amqplib'],
  accepts: isAmqpAddress,
  async open(address, options, isQueue) {
    const { openAmqp } = await import('../amqp/index.ts')
    const { url, exchange: name, mandatory } = parseAmqpAddress(address)
    const amqp = openAmqp({ url, ...options })
    const exchange = isQueue ? `${name}-queue` : name
    const publisher = amqp.bus({ exchange, mandatory: isQueue || mandatory, ...limitOf(options) })
    return {
      publisher,
      consumer: (consumerOptions) => amqp.consumer({ ...consumerOptions, exchange }),
      ping: () => publisher.ping(),
      close: () => amqp.close(),
    }
  },
}

/** Names that need no encoding in an address. */
const plainName = /^[A-Za-z0-9_.-]{1,200}$/
const settings = new Map([
  ['exchange', plainName],
  ['mandatory', /^(?:true|false)$/],
])

/** `amqp://host:5672[/VHOST][?exchange=NAME][&mandatory=false]`. */
function isAmqpAddress(url: URL): boolean {
  const { username, password, hostname, pathname, searchParams, hash } = url
  const named = Array.from(searchParams)
  const areKnown = named.every(([name, value]) => settings.get(name)?.test(value) === true)
  const areSingle = new Set(named.map(([name]) => name)).size === named.length
  const isReadable = isDecodable(username, password, pathname) && /^\/?[^/]*$/.test(pathname)
  return hostname !== '' && isReadable && areKnown && areSingle && hash === ''
}

/** Splits an address into the address of the server and the options of the bus. */
function parseAmqpAddress(address: string): {
  readonly url: string
  readonly exchange: string
  readonly mandatory: boolean
} {
  const url = new URL(address)
  const exchange = url.searchParams.get('exchange') ?? 'sallyport'
  const mandatory = url.searchParams.get('mandatory') !== 'false'
  url.search = ''
  return { url: url.href, exchange, mandatory }
}
