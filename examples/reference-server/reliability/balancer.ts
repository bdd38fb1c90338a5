import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Balancer extends AsyncDisposable {
  /** Where clients connect to. */
  readonly base: string
  /** How many connections were made to each server, in the order of the servers. */
  readonly connections: readonly number[]
}

export interface BalancerOptions {
  /** The servers as they are now: one that was started again can have another address. */
  readonly servers: () => readonly { readonly base: string }[]
  /** How often each is asked whether it is ready, in milliseconds; without it all count as ready. */
  readonly probeMs?: number
}

/**
 * A balancer of connections that reads no HTTP, as those of Kubernetes are: connections go in turn to the servers that
 * said that they were ready, and to the next where one is refused.
 */
export async function openBalancer({ servers, probeMs }: BalancerOptions): Promise<Balancer> {
  const sockets = new Set<Socket>()
  const connections = servers().map(() => 0)
  const unready = new Set<string>()
  const closing = new AbortController()
  let turn = 0

  function forward(client: Socket, attempts: number): void {
    const all = servers().map(({ base }, index) => ({ base, index }))
    const ready = all.filter(({ base }) => !unready.has(base))
    const choice = ready[turn++ % ready.length]
    if (choice === undefined || attempts === 0) {
      client.destroy()
      return
    }
    const upstream = connect(Number(new URL(choice.base).port), '127.0.0.1')
    const refused = () => {
      forward(client, attempts - 1)
    }
    upstream.once('error', refused)
    upstream.once('connect', () => {
      upstream.off('error', refused)
      connections[choice.index] = (connections[choice.index] ?? 0) + 1
      join(client, upstream)
    })
  }

  function join(client: Socket, upstream: Socket): void {
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      from.pipe(to)
    }
  }

  async function probe(): Promise<void> {
    for (const { base } of servers()) {
      const answer = await fetch(`${base}/ready`, { headers: { connection: 'close' } }).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.status === 200) unready.delete(base)
      else unready.add(base)
    }
  }

  async function keepProbing(everyMs: number): Promise<void> {
    while (!closing.signal.aborted) {
      await probe()
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => undefined)
    forward(client, 2 * servers().length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const probing = probeMs === undefined ? undefined : keepProbing(probeMs)
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async [Symbol.asyncDispose]() {
      closing.abort()
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
      await probing
    },
  }
}
