import { randomUUID } from 'node:crypto'
import type { ChainableCommander, Redis as Client } from 'ioredis'
import type { AnyProvider } from '@sallyport/webhooks'
import {
  createConsumer,
  decodeEvent,
  type Consumer,
  type ConsumerOptions,
  type ConsumerSource,
  type ReceivedMessage,
} from '@sallyport/webhooks/consumer'
import type { Connection } from './connection.ts'
import { withPlainErrors } from './failure.ts'
import { nameKey } from './hash-tag.ts'

export interface RedisConsumerOptions<
  Providers extends readonly AnyProvider[] = readonly AnyProvider[],
> extends ConsumerOptions<Providers> {
  /** The key of the stream. @default sallyport, {sallyport} in a Redis Cluster */
  readonly stream?: string
  /** Whether a settled event is deleted from the stream, which then may have no other consumer. @default false */
  readonly workQueue?: boolean
}

/** An entry of a stream: its id, and alternating field names and values; null for a deleted entry. */
type Entry = readonly [id: string, fields: readonly string[] | null]

/** How long an entry belongs to a process that does not renew it, in milliseconds. */
const leaseMs = 30_000
/** Shorter than the timeout of a command. */
const longestWaitMs = 1000
/** A name of a process without entries is removed from the group after this time without a read. */
const unusedMs = 3_600_000
const maxDeadLetters = 100_000
/** A command of a script has a limited number of arguments. */
const maxRenewed = 1000

/** Renews only entries that still belong to the process: after a pause, another process may have them. */
const renewScript = `
local mine = {}
for index = 3, #ARGV do
  if #redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[index], ARGV[index], 1, ARGV[2]) > 0 then
    table.insert(mine, ARGV[index])
  end
end
if #mine > 0 then
  table.insert(mine, 'JUSTID')
  redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(mine))
end`

/**
 * Creates a consumer on a group of a stream. Dead letters go to the stream `<stream>:dead:<name>`.
 *
 * @param openBlocking opens a connection only for reads that wait, which is closed with the consumer
 */
export function createRedisConsumer<Providers extends readonly AnyProvider[]>(
  connection: Connection,
  openBlocking: () => Connection,
  timeoutMs: number,
  { stream: givenStream, workQueue = false, ...options }: RedisConsumerOptions<Providers>,
): Consumer {
  const { name: group } = options
  const stream = nameKey(connection, 'stream', givenStream, 'sallyport')
  const blocking = openBlocking()
  const process = `sallyport-${randomUUID()}`
  const waitMs = Math.min(longestWaitMs, Math.ceil(timeoutMs / 2))
  const ids = new WeakMap<ReceivedMessage, string>()
  let claimedAt = -Infinity
  let cursor = '0-0'

  const run = <Value>(act: (client: Client) => Promise<Value>): Promise<Value> =>
    withPlainErrors(async () => act(await connection.getClient()))

  async function settle(commands: ChainableCommander, id: string): Promise<void> {
    commands.xack(stream, group, id)
    if (workQueue) commands.xdel(stream, id)
    for (const [error] of (await commands.exec()) ?? []) if (error) throw error
  }

  function toReceived([id, fields]: Entry, deliveries: number): ReceivedMessage {
    const received: ReceivedMessage = {
      decode: () => decodeEvent(JSON.parse(readField(fields ?? [], 'event'))),
      deliveries,
      ack: () => run((client) => settle(client.multi(), id)),
      deadLetter: (reason) =>
        run(async (client) => {
          const added = ['reason', reason, 'entry', id, ...(fields ?? [])]
          const storing = client.multi()
          storing.xadd(`${stream}:dead:${group}`, 'MAXLEN', '~', maxDeadLetters, '*', ...added)
          await settle(storing, id)
        }),
      // An entry that was idle for the lease is claimed by the next process. JUSTID does not count a delivery.
      release: () => run((client) => client.xclaim(stream, group, process, 0, id, 'IDLE', leaseMs, 'JUSTID')),
    }
    ids.set(received, id)
    return received
  }

  /** Claims entries of processes that ended or returned them. */
  async function claim(client: Client, limit: number): Promise<readonly ReceivedMessage[]> {
    const claimed = await client.xautoclaim(stream, group, process, leaseMs, cursor, 'COUNT', limit)
    const [next, entries] = claimed as [string, readonly Entry[]]
    cursor = next
    return Promise.all(
      entries.map(async (entry) => {
        const pending = await client.xpending(stream, group, entry[0], entry[0], 1)
        const [, , , deliveries = 1] = (pending as [string, string, number, number][])[0] ?? []
        return toReceived(entry, deliveries - 1)
      }),
    )
  }

  async function removeUnusedProcesses(client: Client): Promise<void> {
    const processes = (await client.xinfo('CONSUMERS', stream, group)) as unknown[][]
    for (const [, name, , pending, , idleMs] of processes)
      if (pending === 0 && Number(idleMs) > unusedMs)
        await client.xgroup('DELCONSUMER', stream, group, String(name))
  }

  const source: ConsumerSource = {
    open: () =>
      run(async (client) => {
        try {
          await client.xgroup('CREATE', stream, group, '0', 'MKSTREAM')
        } catch (error) {
          if (!String(error).includes('BUSYGROUP')) throw error
        }
        await removeUnusedProcesses(client)
        claimedAt = -Infinity
      }),
    receive: (limit, signal) =>
      withPlainErrors(async () => {
        if (cursor !== '0-0' || performance.now() - claimedAt > waitMs) {
          claimedAt = performance.now()
          const claimed = await claim(await connection.getClient(), limit)
          if (claimed.length > 0) return claimed
        }
        const client = await blocking.getClient()
        if (signal.aborted) return []
        const read = (await client.xreadgroup(
          ...(['GROUP', group, process, 'COUNT', limit, 'BLOCK', waitMs, 'STREAMS', stream, '>'] as const),
        )) as readonly [string, readonly Entry[]][] | null
        return (read?.[0]?.[1] ?? []).map((entry) => toReceived(entry, 0))
      }),
    renew: (unsettled) =>
      run(async (client) => {
        for (let start = 0; start < unsettled.length; start += maxRenewed) {
          const some = unsettled.slice(start, start + maxRenewed).map((one) => ids.get(one) ?? '')
          await client.eval(renewScript, 1, stream, group, process, ...some)
        }
      }),
    renewMs: leaseMs / 3,
    close() {
      blocking.close()
      return Promise.resolve()
    },
  }
  return createConsumer(source, options)
}

function readField(fields: readonly string[], name: string): string {
  const index = fields.findIndex((field, at) => at % 2 === 0 && field === name)
  return index === -1 ? '' : (fields[index + 1] ?? '')
}
