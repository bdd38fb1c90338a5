import type { Options } from 'amqplib'

/** The host of a server and the credentials for it. */
export interface ServerAddress {
  /** Host and port without credentials, for messages. */
  readonly hostAndPort: string
  readonly options: Options.Connect
}

/**
 * Parses `amqp://user:password@host:5672/vhost`; everything except the host is optional. `amqps://` uses TLS.
 *
 * @throws TypeError if the URL is invalid; the message does not quote the URL
 */
export function readAddress(url: string): ServerAddress {
  const address = parseAddress(url)
  if (address === undefined)
    throw new TypeError('The URL of a RabbitMQ server must have the form amqp://host:5672/vhost')
  return address
}

function parseAddress(url: string): ServerAddress | undefined {
  const parsed = URL.parse(url)
  const [, vhost] = /^\/?([^/]*)$/.exec(parsed?.pathname ?? '') ?? []
  if (!parsed || !/^amqps?:$/.test(parsed.protocol) || parsed.hostname === '') return undefined
  if (vhost === undefined || parsed.search !== '' || parsed.hash !== '') return undefined
  const isPlain = parsed.protocol === 'amqp:'
  const port = parsed.port === '' ? (isPlain ? 5672 : 5671) : Number(parsed.port)
  try {
    const [username, password] = [parsed.username, parsed.password].map(decodeURIComponent)
    // amqplib decodes the vhost but ignores an invalid one.
    decodeURIComponent(vhost)
    return {
      hostAndPort: `${parsed.hostname}:${port}`,
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
