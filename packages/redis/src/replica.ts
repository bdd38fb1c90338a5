import type { Redis as Client } from 'ioredis'
import { Refused } from './refused.ts'

/** A replica's answer to what writes. */
export const isReadOnly = ({ message }: Error) => message.startsWith('READONLY')

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
  // A user that may not ask hears of it from what is written.
  const info = await client.info('replication').catch(() => '')
  if (!/^role:slave\r?$/m.test(info) || /^slave_read_only:0\r?$/m.test(info)) return
  const reason = replicaAt(place)
  stream.destroy(reason)
  throw reason
}
