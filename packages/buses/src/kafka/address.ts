import type { KafkaSasl } from './kafka.ts'

/** The brokers of a URL and the credentials for them. */
export interface KafkaAddress {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[]
  readonly tls: boolean
  readonly sasl?: KafkaSasl
}

/**
 * Parses `kafka://host:9092,host2`, optionally with `user:password@`. `kafkas://` requires TLS. A path is ignored.
 *
 * @throws TypeError if the URL is invalid; the message does not quote the URL
 */
export function readAddress(url: string): KafkaAddress {
  const invalid = new TypeError('The URL of Kafka must have the form kafka://host:9092,host2:9092')
  const [, scheme = '', credentials, hosts = ''] =
    /^(kafkas?):\/\/(?:([^@/?#]*)@)?([^/?#@]+)(?:\/[^?#]*)?$/.exec(url) ?? []
  const brokers = hosts.split(',').map(readBroker)
  if (!brokers.every((broker) => broker !== undefined)) throw invalid
  const tls = scheme === 'kafkas'
  if (credentials === undefined) return { brokers, tls }
  const [username = '', password = '', ...rest] = credentials.split(':').map(decode)
  if (!username || !password || rest.length > 0)
    throw new TypeError('The URL of Kafka needs user:password@, percent-encoded')
  return { brokers, tls, sasl: { mechanism: 'PLAIN', username, password } }
}

function readBroker(host: string): string | undefined {
  const parsed = URL.parse(`kafka://${host}`)
  if (!parsed?.hostname || parsed.username !== '') return undefined
  return `${parsed.hostname}:${parsed.port === '' ? 9092 : parsed.port}`
}

/** Decodes percent-encoded text; returns undefined for an invalid encoding. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
