import type { Redis as Client } from 'ioredis'
import { Refused } from './refused.ts'

/** A replica's answer to what writes, or to anything once it has lost its primary; of a script, Redis 6 says it late. */
export const isReadOnly = ({ message }: Error) => /(?:^|: -)READONLY\b|^MASTERDOWN\b/.test(message)

export function replicaAt(place: string): Refused {
  return new Refused(
    `Redis at ${place} takes no writes, it is a replica: the next connection may find the primary. ` +
      'If not, see where the address (url) leads',
  )
}

/**
 * Ends a connection to a replica, and rejects: a primary that was made one keeps its connections, and goes on to answer
 * what only reads.
 */
export async function endReplica(client: Client, place: string): Promise<void> {
  const { stream } = client
  const reason = replicaAt(place)
  const info = await client
    .info('replication')
    // A user that may not ask hears of it from a script that might write, which no replica of Redis 7 runs.
    .catch(() => client.eval('#!lua\nreturn 1', 0))
    .catch((error: unknown) => {
      if (isReadOnly(error as Error)) throw reason
    })
  if (!/^role:slave\r?$/m.test(String(info)) || /^slave_read_only:0\r?$/m.test(String(info))) return
  stream.destroy(reason)
  throw reason
}
