import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unsendable, writeSampleSecrets } from '../test/sample-secrets.ts'
import { run } from './program.ts'

const names = builtInProviders.map(({ name }) => name)
const main = fileURLToPath(new URL('../../../examples/reference-server/src/main.ts', import.meta.url))

let url: string
let server: ChildProcess
let folder: string
let secrets: Readonly<Record<'server' | 'cli', Awaited<ReturnType<typeof writeSampleSecrets>>>>

async function findPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return port
}

beforeAll(async () => {
  secrets = {
    server: await writeSampleSecrets(names, 'server'),
    cli: await writeSampleSecrets(names, 'cli'),
  }
  folder = await mkdtemp(join(tmpdir(), 'sallyport-running-server-'))
  // The port is part of the URL that services sign.
  const port = await findPort()
  url = `http://localhost:${port}`
  server = spawn(process.execPath, ['--conditions=@sallyport/source', main], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      DATA_DIR: join(folder, 'data'),
      SECRETS_DIR: secrets.server.folder,
      PROVIDERS: names.join(','),
      ALLOW_UNSIGNED: names.join(','),
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('listens on')) resolve()
    }
    server.stdout?.on('data', onData)
    server.stderr?.on('data', onData)
    server.once('exit', () => {
      reject(new Error(`The server ended: ${output}`))
    })
  })
}, 60_000)

afterAll(async () => {
  if (server.exitCode === null) {
    server.kill()
    await once(server, 'exit')
  }
  for (const path of [folder, secrets.server.folder, secrets.cli.folder]) await rm(path, { recursive: true })
})

/** Sends a sample and returns the status of the delivery, or the problem. */
async function send(name: string, kind: string, now: number): Promise<string> {
  const output: string[] = []
  await run(['send', name, kind, '--url', url], '1.2.3', {
    env: { SECRETS_DIR: secrets.cli.folder },
    stdin: (async function* () {})(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch,
    now: () => now,
    randomUUID: () => crypto.randomUUID(),
  })
  const [, status] = /^20\d (\w+)$/m.exec(output.join('\n')) ?? []
  return status ?? output.join('\n')
}

it('accepts each sample of each provider once', { timeout: 120_000 }, async () => {
  const results: Record<string, readonly string[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const provider of builtInProviders) {
    const { name } = provider
    if (unsendable.has(name)) continue
    const isDistinct = 'service' in provider && (provider.service as { distinct?: boolean }).distinct === true
    const { kinds = [] } = (await builtInSamples.get(name)?.()) ?? {}
    for (const kind of kinds) {
      // Both deliveries have the same signed time.
      const now = Date.now()
      results[`${name}/${kind}`] = [await send(name, kind, now), await send(name, kind, now)]
      // Each delivery of such a service is a new event.
      expected[`${name}/${kind}`] = ['accepted', isDistinct ? 'accepted' : 'duplicate']
    }
  }
  expect(Object.keys(results).length).toBeGreaterThan(300)
  expect(results).toEqual(expected)
})

it('reports a service whose key only the service has', async () => {
  for (const name of unsendable) {
    const { kinds = [] } = (await builtInSamples.get(name)?.()) ?? {}
    expect(await send(name, kinds[0] ?? '', Date.now())).toContain(
      'is not a secret that this provider can sign with',
    )
  }
})
