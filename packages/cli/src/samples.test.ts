import { builtInProviders } from '@sallyport/providers'
import { createGateway, memoryBus, staticSecrets } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { expect, it } from 'vitest'
import { run } from './program.ts'
import { secretName } from './secret.ts'

const secret = 'a-secret-that-is-never-shown'
const now = Date.UTC(2026, 0)

/** Runs the program against a gateway with all built-in providers. */
async function sallyport(...args: readonly string[]) {
  const bus = memoryBus()
  const gateway = createGateway({
    providers: builtInProviders,
    secrets: staticSecrets(Object.fromEntries(builtInProviders.map(({ name }) => [name, [secret]]))),
    now: () => now,
    publisher: bus,
  })
  const handle = createFetchHandler(gateway)
  const output: string[] = []
  const code = await run(args, '1.2.3', {
    env: Object.fromEntries(builtInProviders.map(({ name }) => [secretName(name), secret])),
    stdin: (async function* () {
      yield await Promise.resolve(Buffer.from('{"note":"a test"}'))
    })(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: async (input, init) => handle(new Request(input, init)),
    now: () => now,
    randomUUID: () => crypto.randomUUID(),
  })
  return { code, output: output.join('\n'), events: bus.events }
}

const all = builtInProviders.flatMap(({ name, events }) =>
  Object.keys(events).map((kind) => [name, kind] as const),
)

it.each(all)('sends a sample and a manual payload of %s %s', async (name, kind) => {
  const sample = await sallyport('send', name, kind)
  expect(sample).toMatchObject({ code: 0, output: expect.stringContaining('200 accepted') as string })
  expect(sample.events).toMatchObject([{ name: `${name}/${kind}` }])
  expect(sample.events[0]?.source.manual).toBeUndefined()

  const again = await sallyport('send', name, kind)
  const fresh = await sallyport('send', name, kind, '--fresh')
  expect(again.events[0]?.id).toBe(sample.events[0]?.id)
  expect(fresh.events[0]?.name).toBe(`${name}/${kind}`)
  expect(fresh.events[0]?.id).not.toBe(sample.events[0]?.id)

  const manual = await sallyport('send', name, kind, '--payload', '-')
  expect(manual).toMatchObject({ code: 0, events: [{ data: { note: 'a test' }, source: { manual: true } }] })
  expect(sample.output + manual.output).not.toContain(secret)
})
