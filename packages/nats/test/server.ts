import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The command, where this machine has it. */
export function findServer(): string | undefined {
  try {
    execFileSync('nats-server', ['--version'], { stdio: 'ignore' })
    return 'nats-server'
  } catch {
    return undefined
  }
}

/** A server of its own, which can be killed and started again over the same files. */
export async function ownServer(command: string, port: number) {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-nats-'))
  const start = () =>
    spawn(command, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store], { stdio: 'ignore' })
  let child = start()
  const kill = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    kill,
    restart() {
      child = start()
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(store, { recursive: true, force: true })
    },
  }
}
