import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { environment, type ColdDelivery } from './deliveries.ts'
import type { Start } from './start.ts'

const bindings = Object.entries(environment).map(([name, text]) => `(name = "${name}", text = "${text}")`)

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2026-07-01",
    compatibilityFlags = ["nodejs_compat"],
    bindings = [${bindings.join(', ')}]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`

/** Writes the worker and its configuration. @returns a function that starts workerd */
export async function prepareWorker(
  code: Uint8Array,
  directory: string,
): Promise<(deliveries: readonly ColdDelivery[]) => Promise<Start>> {
  // The package has no types.
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { readonly default: string }
  const file = join(directory, 'config.capnp')
  await writeFile(file, config)
  await writeFile(join(directory, 'worker.js'), code)
  return (deliveries) => start(workerd, file, deliveries)
}

async function start(workerd: string, file: string, deliveries: readonly ColdDelivery[]): Promise<Start> {
  const startedAt = performance.now()
  const child = spawn(workerd, ['serve', file, '--control-fd=1'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  try {
    // workerd loads the worker, and then prints the port in one line.
    const [line] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer | number]
    const readyMs = performance.now() - startedAt
    if (typeof line === 'number') throw new Error(`workerd ended with ${line}`)
    const { port } = JSON.parse(line.toString()) as { readonly port: number }
    let answeredMs = 0
    const statuses: number[] = []
    for (const { path, headers, body } of deliveries) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      answeredMs ||= performance.now() - startedAt
      statuses.push(response.status)
    }
    return { readyMs, answeredMs, statuses }
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}
