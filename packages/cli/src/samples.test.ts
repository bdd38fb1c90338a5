import { builtInProviders } from '@sallyport/providers'
import { builtInSamples } from '@sallyport/providers/samples'
import { createGateway, createMemoryBus, staticSecrets, type Service } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getSampleSecrets, unsendable, writeSampleSecrets } from '../test/sample-secrets.ts'
import { run } from './program.ts'

const now = Date.UTC(2026, 0)

let secrets: Awaited<ReturnType<typeof writeSampleSecrets>>
beforeAll(async () => {
  secrets = await writeSampleSecrets(
    builtInProviders.map(({ name }) => name),
    'cli',
  )
})
afterAll(() => secrets.remove())

let bus = createMemoryBus()
const handle = createFetchHandler(
  createGateway({
    providers: builtInProviders,
    secrets: staticSecrets(
      Object.fromEntries(builtInProviders.map(({ name }) => [name, getSampleSecrets(name).server])),
    ),
    allowUnsigned: builtInProviders.map(({ name }) => name),
    now: () => now,
    publisher: { publish: (events, signal) => bus.publish(events, signal) },
  }),
)

/** Runs the program against a gateway with all built-in providers and an empty bus. */
async function sallyport(...args: readonly string[]) {
  bus = createMemoryBus()
  const output: string[] = []
  const code = await run(args, '1.2.3', {
    env: { SECRETS_DIR: secrets.folder },
    stdin: (async function* () {
      yield await Promise.resolve(Buffer.from('{"note":"a test"}'))
    })(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: async (input, init) => handle(new Request(input, init)),
    now: () => now,
    sleep: () => Promise.resolve(),
    randomUUID: () => crypto.randomUUID(),
  })
  return { code, output: output.join('\n'), events: bus.events }
}

const all = builtInProviders.flatMap(({ name, events }) =>
  Object.keys(events).map((kind) => [name, kind] as const),
)
const services = builtInProviders.filter(
  (provider): provider is Service => 'service' in provider && !unsendable.has(provider.name),
)

it.each(services)('sends each sample of $name, and a fresh one', async ({ name, service }) => {
  const { kinds = [] } = (await builtInSamples.get(name)?.()) ?? {}
  expect(kinds).not.toEqual([])
  for (const kind of kinds) {
    const sample = await sallyport('send', name, kind)
    expect(sample).toMatchObject({ code: 0, output: expect.stringMatching(/^20\d accepted$/m) as string })
    const again = await sallyport('send', name, kind)
    const isSame = String(again.events.map(({ id }) => id)) === String(sample.events.map(({ id }) => id))
    if (!service.distinct) expect(isSame).toBe(true)
    const fresh = await sallyport('send', name, kind, '--fresh')
    expect(fresh.events.map((event) => event.name)).toEqual(sample.events.map((event) => event.name))
    expect(fresh.events[0]?.id).not.toBe(sample.events[0]?.id)
  }
})

it.each(all)('sends a sample and a manual payload of %s %s', async (name, kind) => {
  const sample = await sallyport('send', name, kind)
  expect(sample).toMatchObject({ code: 0, output: expect.stringMatching(/^20\d accepted$/m) as string })
  expect(sample.events).toMatchObject([{ name: `${name}/${kind}` }])
  expect(sample.events[0]?.source.manual).toBeUndefined()

  const again = await sallyport('send', name, kind)
  const fresh = await sallyport('send', name, kind, '--fresh')
  expect(again.events[0]?.id).toBe(sample.events[0]?.id)
  expect(fresh.events[0]?.name).toBe(`${name}/${kind}`)
  expect(fresh.events[0]?.id).not.toBe(sample.events[0]?.id)

  const manual = await sallyport('send', name, kind, '--payload', '-')
  expect(manual).toMatchObject({ code: 0, events: [{ data: { note: 'a test' }, source: { manual: true } }] })
  expect(sample.output + manual.output).not.toContain(getSampleSecrets(name).cli)
})
