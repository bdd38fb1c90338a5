import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns the command if it is installed. */
export function findServer(): string | undefined {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return 'redis-server'
  } catch {
    return undefined
  }
}

/**
 * Starts a server with durable storage that can be killed and restarted with the same files.
 *
 * @param settings further words of the command
 */
export async function startServer(command: string, port: number, settings: readonly string[] = []) {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-redis-'))
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']
  const where = ['--bind', '127.0.0.1', '--port', String(port), '--dir', store]
  const start = () => spawn(command, [...where, ...durable, ...settings], { stdio: 'ignore' })
  let child = start()
  const kill = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart() {
      child = start()
    },
    /** Stops responding, also on new connections. */
    freeze() {
      child.kill('SIGSTOP')
    },
    thaw() {
      child.kill('SIGCONT')
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(store, { recursive: true, force: true })
    },
  }
}
