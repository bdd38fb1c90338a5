import type { Service } from '@sallyport/webhooks'
import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../test/reference-server.ts'
import { unsendable, writeSampleSecrets } from '../test/sample-secrets.ts'
import { run } from './program.ts'

const names = builtInProviders.map(({ name }) => name)

let server: ReferenceServer
let folder: string
let secrets: Readonly<Record<'server' | 'cli', Awaited<ReturnType<typeof writeSampleSecrets>>>>

beforeAll(async () => {
  secrets = {
    server: await writeSampleSecrets(names, 'server'),
    cli: await writeSampleSecrets(names, 'cli'),
  }
  folder = await mkdtemp(join(tmpdir(), 'sallyport-running-server-'))
  server = await startReferenceServer({
    DATA_DIR: join(folder, 'data'),
    SECRETS_DIR: secrets.server.folder,
    PROVIDERS: names.join(','),
    ALLOW_UNSIGNED: names.join(','),
  })
})

afterAll(async () => {
  await server.stop()
  for (const path of [folder, secrets.server.folder, secrets.cli.folder]) await rm(path, { recursive: true })
})

/** Sends a sample and returns the status of the delivery, or the problem. */
async function send(name: string, kind: string, now: number): Promise<string> {
  const output: string[] = []
  await run(['send', name, kind, '--url', server.url], '1.2.3', {
    env: { SECRETS_DIR: secrets.cli.folder },
    stdin: (async function* () {})(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch,
    now: () => now,
    sleep: () => Promise.resolve(),
    randomUUID: () => crypto.randomUUID(),
  })
  const [, status] = /^20\d (\w+)$/m.exec(output.join('\n')) ?? []
  return status ?? output.join('\n')
}

it('accepts each sample of each provider once', async () => {
  const results: Record<string, readonly string[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const provider of builtInProviders) {
    const { name } = provider
    if (unsendable.has(name)) continue
    const isDistinct = 'service' in provider && (provider as Service).service.distinct !== undefined
    const { kinds = [] } = (await builtInSamples.get(name)?.()) ?? {}
    for (const kind of kinds) {
      // Both deliveries have the same signed time.
      const now = Date.now()
      results[`${name}/${kind}`] = [await send(name, kind, now), await send(name, kind, now)]
      // Of such a service, a repeated body can be a new event.
      const again = expect.stringMatching(isDistinct ? /^(?:accepted|duplicate)$/ : /^duplicate$/) as string
      expected[`${name}/${kind}`] = ['accepted', again]
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
