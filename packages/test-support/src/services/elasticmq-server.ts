import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Requirement } from './describe-needing.ts'
import { unusedPort } from './unused-port.ts'

const libraryFolder = process.env['TEST_ELASTICMQ_LIBRARIES'] ?? '/var/tmp/sallyport-elasticmq-1.6.14'

/** The requirement of a suite that freezes and kills ElasticMQ: the folder with its libraries. */
export const elasticmqServers: Requirement<string> = {
  what: 'the libraries of ElasticMQ and Java',
  hint: 'run CI=true .ci/services, or set TEST_ELASTICMQ_LIBRARIES',
  find() {
    const hasJava = spawnSync('java', ['-version']).status === 0
    return hasJava && existsSync(libraryFolder) ? libraryFolder : undefined
  },
}

/** An ElasticMQ of one test. It keeps its queues in memory. */
export interface ElasticmqServer extends AsyncDisposable {
  readonly url: string
  /** Stops the process without closing its connections. */
  pause(): void
  resume(): void
  /** Kills the process, paused or not. Its queues are lost. */
  kill(): Promise<void>
  /** Starts the killed process on the same port, and returns when it answers. */
  restart(): Promise<void>
}

/** Starts an ElasticMQ on a free port. */
export async function openElasticmqServer(libraries: string): Promise<ElasticmqServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-elasticmq-'))
  const port = await unusedPort()
  const url = `http://127.0.0.1:${port}`
  const file = join(folder, 'elasticmq.conf')
  await writeFile(
    file,
    `include classpath("application.conf")
node-address { host = "127.0.0.1", port = ${port} }
rest-sqs { bind-hostname = "127.0.0.1", bind-port = ${port} }
rest-stats { enabled = false }
`,
  )
  const parameters = ['-Xmx256m', `-Dconfig.file=${file}`, '-cp', `${libraries}/*`]
  let child: ChildProcess

  async function start(): Promise<void> {
    child = spawn('java', [...parameters, 'org.elasticmq.server.Main'], { stdio: 'ignore' })
    while (child.exitCode === null) {
      if (await fetch(url).then(Boolean, () => false)) return
      await sleep(100)
    }
    throw new Error('ElasticMQ ended before it answered')
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await start()
  return {
    url,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill,
    restart: start,
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
