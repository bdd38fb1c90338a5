import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unusedPort } from '@sallyport/test-support/services'

const run = promisify(execFile)

/** Folders of the server scripts. The scripts on the PATH change the user. */
const folders = ['/usr/lib/rabbitmq/bin', '/usr/local/sbin', '/opt/homebrew/sbin']

/** Returns the folder of the server scripts if they are installed. */
export function findServer(): string | undefined {
  return folders.find((folder) => existsSync(join(folder, 'rabbitmq-server')))
}

/** Starts a separate server that can be killed and restarted with the same files. */
export async function startServer(
  commands: string,
  settings: Readonly<Record<string, string | number>> = {},
) {
  const [port, nodePort] = [await unusedPort(), await unusedPort()]
  const store = await mkdtemp(join(tmpdir(), 'sallyport-rabbitmq-'))
  const inStore = (name: string) => join(store, name)
  const lines = Object.entries({ 'listeners.tcp.local': `127.0.0.1:${port}`, ...settings })
  await writeFile(inStore('rabbitmq.conf'), lines.map(([name, value]) => `${name} = ${value}\n`).join(''))
  await writeFile(inStore('plugins'), '[].')
  await writeFile(inStore('env.conf'), '')
  const env = {
    ...process.env,
    ...{ HOME: store, ERL_EPMD_ADDRESS: '127.0.0.1', RABBITMQ_NODENAME: `sallyport-${port}@localhost` },
    ...{ RABBITMQ_CONFIG_FILE: inStore('rabbitmq.conf'), RABBITMQ_CONF_ENV_FILE: inStore('env.conf') },
    ...{ RABBITMQ_ENABLED_PLUGINS_FILE: inStore('plugins'), RABBITMQ_DIST_PORT: String(nodePort) },
    ...{ RABBITMQ_MNESIA_BASE: store, RABBITMQ_LOG_BASE: store, RABBITMQ_GENERATED_CONFIG_DIR: store },
    // With this setting, the script execs the server, so that signals reach the server.
    RABBITMQ_ALLOW_INPUT: '1',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1}',
  }
  const start = () => spawn(join(commands, 'rabbitmq-server'), { env, stdio: 'ignore' })
  let child = start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  /** Runs `rabbitmqctl`. */
  const control = (...words: string[]) => run(join(commands, 'rabbitmqctl'), words, { env })
  return {
    url: `amqp://127.0.0.1:${port}`,
    kill,
    restart() {
      child = start()
    },
    control,
    /** Flushes exchanges, queues and bindings to disk. The server confirms them earlier and would lose them when killed. */
    keepDefinitions: () => control('eval', 'mnesia:sync_log().'),
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(store, { recursive: true, force: true })
    },
  }
}
