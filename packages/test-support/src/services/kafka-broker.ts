import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Requirement } from './describe-needing.ts'
import { unusedPort } from './unused-port.ts'

const libraryFolder = process.env['TEST_KAFKA_LIBRARIES'] ?? '/var/tmp/sallyport-kafka-4.1.1'

/** The requirement of a suite that starts and kills Kafka brokers: the folder with the libraries of Kafka. */
export const kafkaBrokers: Requirement<string> = {
  what: 'the libraries of Kafka and Java',
  hint: 'run CI=true .ci/services, or set TEST_KAFKA_LIBRARIES',
  find() {
    const hasJava = spawnSync('java', ['-version']).status === 0
    return hasJava && existsSync(libraryFolder) ? libraryFolder : undefined
  },
}

/** A Kafka cluster of one test. */
export interface KafkaCluster extends AsyncDisposable {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[]
  /** Stops the process of a broker without closing its connections. */
  pause(index: number): void
  /** Continues a paused broker. */
  resume(index: number): void
  /** Kills a broker, paused or not. */
  kill(index: number): Promise<void>
  /** Starts a killed broker with the same port and files. */
  restart(index: number): void
}

const clusterId = 'c2FsbHlwb3J0LXRlc3RzAA'

/**
 * Starts brokers on free ports. Each is also a controller. Disposing the cluster deletes its files.
 *
 * @param extra further lines of each configuration, where `{port}` and `{controller}` are the ports of the broker
 */
export async function openKafkaCluster(
  libraries: string,
  count = 1,
  extra: readonly string[] = [],
): Promise<KafkaCluster> {
  const store = await mkdtemp(join(tmpdir(), 'sallyport-kafka-'))
  const nodes: { readonly port: number; readonly controllerPort: number }[] = []
  for (let id = 0; id < count; id++)
    nodes.push({ port: await unusedPort(), controllerPort: await unusedPort() })
  const voters = nodes.map(({ controllerPort }, id) => `${id + 1}@127.0.0.1:${controllerPort}`).join(',')
  const file = (id: number) => join(store, `${id}.properties`)
  const java = (...parameters: string[]) => ['-Xmx256m', '-cp', `${libraries}/*`, ...parameters]

  for (const [id, { port, controllerPort }] of nodes.entries()) {
    const settings = [
      'process.roles=broker,controller',
      `node.id=${id + 1}`,
      `controller.quorum.voters=${voters}`,
      `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
      'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT',
      'controller.listener.names=CONTROLLER',
      `log.dirs=${join(store, String(id))}`,
      'offsets.topic.num.partitions=1',
      `offsets.topic.replication.factor=${count}`,
      `default.replication.factor=${count}`,
      `min.insync.replicas=${Math.ceil(count / 2)}`,
      'group.initial.rebalance.delay.ms=0',
      ...extra.map((line) =>
        line.replaceAll('{port}', String(port)).replaceAll('{controller}', String(controllerPort)),
      ),
    ]
    await writeFile(file(id), settings.join('\n'))
    const [done] = (await once(
      spawn('java', java('kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', file(id)), {
        stdio: 'ignore',
      }),
      'exit',
    )) as [number]
    if (done !== 0) throw new Error(`The storage of the Kafka broker was not formatted (exit ${done})`)
  }

  const start = (id: number): ChildProcess =>
    spawn('java', java('kafka.Kafka', file(id)), { stdio: 'ignore' })
  const children = nodes.map((_, id) => start(id))
  const kill = async (id: number) => {
    const child = children[id]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    brokers: nodes.map(({ port }) => `127.0.0.1:${port}`),
    pause: (id) => children[id]?.kill('SIGSTOP'),
    resume: (id) => children[id]?.kill('SIGCONT'),
    kill,
    restart(id) {
      children[id] = start(id)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((_, id) => kill(id)))
      await rm(store, { recursive: true, force: true })
    },
  }
}
