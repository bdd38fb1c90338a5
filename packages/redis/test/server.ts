import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The command, where this machine has it. */
export function findServer(): string | undefined {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return 'redis-server'
  } catch {
    return undefined
  }
}

/** A server of its own that keeps what it answers for, which can be killed and started again over the same files. */
export async function ownServer(command: string, port: number) {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-redis-'))
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']
  const where = ['--bind', '127.0.0.1', '--port', String(port), '--dir', store]
  const start = () => spawn(command, [...where, ...durable], { stdio: 'ignore' })
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
    /** Says nothing from now on, on new connections too. */
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
