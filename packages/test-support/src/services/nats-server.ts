import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Requirement } from './describe-needing.ts'

const natsCommand = 'nats-server'

/** The requirement of a suite that starts and kills NATS servers. */
export const natsServers: Requirement<string> = {
  what: 'the command nats-server',
  hint: 'install nats-server',
  find() {
    try {
      execFileSync(natsCommand, ['--version'], { stdio: 'ignore' })
      return natsCommand
    } catch {
      return undefined
    }
  },
}

/** A NATS server of one test, with JetStream. */
export interface NatsServer extends AsyncDisposable {
  /** `nats://…` */
  readonly url: string
  /** Stops the process without closing its connections. */
  pause(): void
  /** Continues a paused process. */
  resume(): void
  /** Kills the process, paused or not. */
  kill(): Promise<void>
  /** Starts the server again after `kill`, with the same port and files. */
  restart(): void
}

/**
 * Starts a separate server on a free port. Disposing it deletes its files.
 *
 * @param config further settings, in the format of the configuration file
 */
export async function openNatsServer(command: string, port: number, config = ''): Promise<NatsServer> {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-nats-'))
  const file = join(store, 'server.conf')
  await writeFile(file, config)
  const words = ['-c', file, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store]
  const start = () => spawn(command, words, { stdio: 'ignore' })
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
