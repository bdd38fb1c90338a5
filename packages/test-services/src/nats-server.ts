import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Requirement } from './describe-needing.ts'

const command = 'nats-server'

/** The command `nats-server`, for a test that needs a server which it can take away. */
export const natsServers: Requirement<string> = {
  what: 'the command nats-server',
  hint: 'install nats-server',
  find() {
    try {
      execFileSync(command, ['--version'], { stdio: 'ignore' })
      return command
    } catch {
      return undefined
    }
  },
}

/** A NATS server of one test, with JetStream. */
export interface NatsServer extends AsyncDisposable {
  /** `nats://…` */
  readonly url: string
  /** Leaves it there, and has it say nothing any more: connections stay open. */
  pause(): void
  /** Has it go on, with what was sent to it meanwhile. */
  resume(): void
  /** Ends it at once, paused or not. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port and over the same files. */
  restart(): void
}

/** Starts a server of its own on a port that is free; its files go when it does. */
export async function openNatsServer(by: string, port: number): Promise<NatsServer> {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-nats-'))
  const start = () =>
    spawn(by, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store], { stdio: 'ignore' })
  let child = start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    pause() {
      child.kill('SIGSTOP')
    },
    resume() {
      child.kill('SIGCONT')
    },
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
