import { createGateway, getTrust, createMemoryBus, staticSecrets } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { readSecretVariable, separateSecrets } from '@sallyport/internal/secret-list'
import { builtInProviders } from '@sallyport/providers'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { getLocalSecret } from '../../packages/cli/src/local-secret.ts'
import { run } from '../../packages/cli/src/program.ts'
import { findSigner } from '../../packages/providers/scripts/catalogue/vector-secrets.ts'
import { parsePage } from './markdown.ts'
import { root } from './pages.ts'
import { secretVariable } from './provider-commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'sallyport-commands-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

type Variables = Readonly<Record<string, string>>
interface Command {
  readonly variables: Variables
  readonly args: readonly string[]
}

/** Runs the commands of a page in a shell that prints each command with its variables. */
function readCommands(name: string): readonly Command[] {
  const page = readFileSync(join(root, `docs/reference/providers/${name}.md`), 'utf8')
  const script = parsePage(page).blocks.find(({ language }) => language === 'sh')?.text ?? ''
  const print = `node -e 'console.log(JSON.stringify({ variables: process.env, args: process.argv.slice(1) }))' --`
  const shell = `npm() { ${print} npm "$@"; }; npx() { ${print} "$@"; }\n${script}`
  const output = execFileSync('bash', ['-euc', shell], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Command)
}

/** Sends a sample with the command line to a gateway that the variables configure. */
async function send(name: string, args: readonly string[], server: Variables, own: Variables) {
  const provider = builtInProviders.find((one) => one.name === name)!
  const { values } = await separateSecrets(
    readSecretVariable(server[secretVariable(name)] ?? ''),
    provider.signature,
  )
  const origin = server['PUBLIC_URL']
  const gateway = createGateway({
    providers: [provider],
    secrets: staticSecrets({ [name]: values }),
    allowUnsigned: (server['ALLOW_UNSIGNED'] ?? '').split(','),
    publisher: createMemoryBus(),
  })
  const handle = createFetchHandler(gateway, origin === undefined ? {} : { publicUrl: origin })
  const output: string[] = []
  const code = await run(args, '1.2.3', {
    env: own,
    stdin: (async function* () {
      yield* []
    })(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: async (input, init) => handle(new Request(input, init)),
    now: Date.now,
    sleep: () => Promise.resolve(),
    randomUUID: () => crypto.randomUUID(),
  })
  return { code, output: output.join('\n') }
}

const services = builtInProviders.filter((provider) => 'service' in provider)
const withSecret = services.filter(({ name }) => findSigner(name) === 'secret')
const withPair = services.filter(({ name }) => findSigner(name) === 'pair')

it.each(withSecret)('the commands of the page of $name send a sample', async ({ name }) => {
  const [start, sent] = readCommands(name)
  expect(start).toMatchObject({ args: ['npm', 'start'], variables: { PROVIDERS: name } })
  const [program, ...args] = sent?.args ?? []
  expect(program).toBe('sallyport')
  const { code, output } = await send(name, args, start?.variables ?? {}, sent?.variables ?? {})
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^20\d accepted$/m) as string,
  })
})

it.each(withPair)(
  'the commands of the page of $name send a sample with keys of this machine',
  async (provider) => {
    const { name } = provider
    const [dev, sent] = readCommands(name)
    expect(dev?.args).toEqual(['sallyport', 'dev', name])
    const env = { HOME: folder, XDG_CONFIG_HOME: folder }
    const local = await getLocalSecret(provider, { env, now: Date.now })
    const server = { [secretVariable(name)]: local?.verify ?? '' }
    const { code, output } = await send(name, sent?.args.slice(1) ?? [], server, env)
    expect({ code, output }).toMatchObject({ code: 0 })
  },
)

it('names the variable that accepts a service on each page of a service without a signed body', () => {
  const unsigned = services.filter((provider) => getTrust(provider) !== 'signed')
  expect(unsigned.length).toBeGreaterThan(30)
  for (const { name } of unsigned) {
    const page = readFileSync(join(root, `docs/reference/providers/${name}.md`), 'utf8')
    expect(page).toContain(`ALLOW_UNSIGNED=${name}`)
  }
})

it('shows the verify token beside the secret', () => {
  expect(readCommands('meta')[0]?.variables['WEBHOOK_SECRET_META']).toMatch(/^\w+,verify:/)
})
