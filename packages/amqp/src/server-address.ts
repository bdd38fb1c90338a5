import type { Options } from 'amqplib'

/** Where a server is, and who we are there. */
export interface ServerAddress {
  /** Without user or password: for messages. */
  readonly place: string
  readonly options: Options.Connect
}

/**
 * Reads `amqp://user:password@host:5672/vhost`, where everything but the host may be left out; `amqps://` is for TLS.
 *
 * @throws TypeError when it is no such address; the message does not quote it
 */
export function readAddress(url: string): ServerAddress {
  const address = addressIn(url)
  if (address === undefined)
    throw new TypeError('The address of a RabbitMQ server reads like amqp://host:5672/vhost')
  return address
}

function addressIn(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  const [, vhost] = /^\/?([^/]*)$/.exec(parsed?.pathname ?? '') ?? []
  if (!parsed || !/^amqps?:$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  if (vhost === undefined || parsed.search !== '' || parsed.hash !== '') return undefined
  const isPlain = parsed.protocol === 'amqp:'
  const port = parsed.port === '' ? (isPlain ? 5672 : 5671) : Number(parsed.port)
  try {
    const [username, password] = [parsed.username, parsed.password].map(decodeURIComponent)
    // The client decodes it, but throws nothing for one that cannot be.
    decodeURIComponent(vhost)
    return {
      place: `${parsed.hostname}:${port}`,
      options: {
        ...{
          protocol: isPlain ? 'amqp' : 'amqps',
          hostname: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
          port,
        },
        ...((username || password) && { username: username ?? '', password: password ?? '' }),
        ...(vhost !== '' && { vhost }),
      },
    }
  } catch {
    return undefined
  }
}
