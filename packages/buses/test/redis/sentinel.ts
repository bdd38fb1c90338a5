import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unusedPort } from '@sallyport/test-support/services'
import { withClient } from './fresh.ts'
import { startServer } from './server.ts'

/** Starts a primary, a replica, and a Sentinel that knows both and fails over after half a second. */
export async function startSentinel(command: string) {
  await using stack = new AsyncDisposableStack()
  const [first, second, port] = [await unusedPort(), await unusedPort(), await unusedPort()]
  const primary = stack.use(await startServer(command, first))
  stack.use(await startServer(command, second, ['--replicaof', '127.0.0.1', String(first)]))
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-sentinel-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sentinel.conf')
  const lines = [
    ...[`port ${port}`, 'bind 127.0.0.1', `sentinel monitor main 127.0.0.1 ${first} 1`],
    ...['sentinel down-after-milliseconds main 500', 'sentinel failover-timeout main 3000'],
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const sentinel = spawn(command, [file, '--sentinel'], { stdio: 'ignore' })
  stack.defer(async () => {
    const exited = once(sentinel, 'exit')
    sentinel.kill('SIGKILL')
    await exited
  })
  await withClient(`redis://127.0.0.1:${port}`, async (client) => {
    const knowsReplica = async () =>
      String(await client.call('SENTINEL', 'REPLICAS', 'main')).includes(`127.0.0.1:${second}`)
    while (!(await knowsReplica())) await sleep(100)
  })
  const kept = stack.move()
  return {
    sentinels: [{ host: '127.0.0.1', port }],
    name: 'main',
    primary,
    replicaUrl: `redis://127.0.0.1:${second}`,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
