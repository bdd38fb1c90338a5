import { setTimeout as sleep } from 'node:timers/promises'
import { unusedPort } from '@sallyport/test-support/services'
import { withClient } from './fresh.ts'
import { startServer } from './server.ts'

/** The first slot of each node of a cluster, and the end. */
const slots = [0, 5461, 10_923, 16_384]

/** Starts a cluster of three primaries. */
export async function startCluster(command: string) {
  await using stack = new AsyncDisposableStack()
  const nodes: { readonly url: string; readonly port: number; readonly busPort: number }[] = []
  for (let count = 0; count < 3; count++) {
    const [port, busPort] = [await unusedPort(), await unusedPort()]
    const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
    const { url } = stack.use(await startServer(command, port, settings))
    nodes.push({ url, port, busPort })
  }
  for (const [index, { url }] of nodes.entries())
    await withClient(url, async (client) => {
      await client.cluster('ADDSLOTSRANGE', slots[index] ?? 0, (slots[index + 1] ?? 0) - 1)
      for (const other of nodes.slice(0, index))
        await client.call('CLUSTER', 'MEET', '127.0.0.1', String(other.port), String(other.busPort))
    })
  const isReady = (url: string) =>
    withClient(url, async (client) => /cluster_state:ok/.test(await client.cluster('INFO')))
  for (const { url } of nodes) while (!(await isReady(url))) await sleep(100)
  const kept = stack.move()
  return {
    startNodes: nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
