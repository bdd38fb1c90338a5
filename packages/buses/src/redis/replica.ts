import type { Redis as Client } from 'ioredis'
import { ServerRefusal } from './failure.ts'

/** Matches the errors of a replica. Redis 6 puts READONLY at the end of a script error. */
export const isReadOnly = ({ message }: Error) => /(?:^|: -)READONLY\b|^MASTERDOWN\b/.test(message)

export function createReplicaError(hostAndPort: string): ServerRefusal {
  return new ServerRefusal(
    `Redis at ${hostAndPort} is a replica and does not accept writes: ` +
      'if the next connection does not reach the primary, check the address (url)',
  )
}

/** Reports whether the server is a replica that does not accept writes. */
export async function isReplica(client: Client): Promise<boolean> {
  try {
    // A user without the right to INFO runs a script that may write, which a replica of Redis 7 rejects.
    const info = await client.info('replication').catch(() => client.eval('#!lua\nreturn 1', 0))
    return /^role:slave\r?$/m.test(String(info)) && !/^slave_read_only:0\r?$/m.test(String(info))
  } catch (error) {
    return isReadOnly(error as Error)
  }
}

/**
 * Rejects and ends the connection if the server is a replica. A primary that becomes a replica keeps its connections and
 * still answers reads, so an error alone does not reveal it.
 */
export async function rejectReplica(client: Client, hostAndPort: string): Promise<void> {
  const { stream } = client
  if (!(await isReplica(client))) return
  const reason = createReplicaError(hostAndPort)
  stream.destroy(reason)
  throw reason
}
