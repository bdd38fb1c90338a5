import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtInProviders } from '@sallyport/providers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { startInProcess } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (...names: string[]) => join(directory.path, ...names)
const jwtSecret = 'x'.repeat(32)

/** A store such as `cat` or `pass show`: it fails with 1 for what it does not have, and has these. */
async function openSecretStore(folder: string, secrets: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(at(folder))
  for (const [name, secret] of Object.entries(secrets)) await writeFile(at(folder, name), `${secret}\n`)
  return `cd ${at(folder)} && cat`
}

beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory[Symbol.asyncDispose]())

/** Returns the providers in production and the notices of the server. */
function providersWith(environment: Readonly<Record<string, string>>) {
  const { PATH } = process.env
  const result = readConfig({ PATH, NODE_ENV: 'production', DATA_DIR: at('data'), ...environment }, [
    ...builtInProviders,
  ])
  if ('problems' in result) return result
  const { providers, leftOut, undecided, unasked } = result.config
  return { registered: providers.map(({ name }) => name), leftOut, undecided, unasked: unasked.length }
}

const list = ['tasks', 'messaging', 'deploy', 'codehost']

describe('a command that fails for missing secrets', () => {
  it('leaves out providers without a secret after it has returned another secret', async () => {
    // Regression: all of them were registered and answered with 503 permanently.
    const SECRETS_COMMAND = await openSecretStore('one', { WEBHOOK_SECRET_CODEHOST: 'one' })
    const expected = { registered: ['codehost'], leftOut: list.slice(0, 3), undecided: [], unasked: 0 }
    expect(providersWith({ SECRETS_COMMAND, JWT_SECRET: jwtSecret })).toEqual(expected)
    await writeFile(at('one', 'JWT_SECRET'), jwtSecret)
    expect(providersWith({ SECRETS_COMMAND })).toEqual(expected)
  })

  it('counts as unavailable while it returns no secret at all', async () => {
    const SECRETS_COMMAND = await openSecretStore('nothing', {})
    const waiting = { registered: list, leftOut: [], undecided: list, unasked: 4 }
    expect(providersWith({ SECRETS_COMMAND, JWT_SECRET: jwtSecret })).toEqual(waiting)
    expect(providersWith({ SECRETS_COMMAND, JWT_SECRET: jwtSecret, WEBHOOK_SECRET_TASKS: 's' })).toEqual({
      ...waiting,
      undecided: list.slice(1),
    })
  })

  it.each([
    ['is ended by a signal', 'kill -9 $$'],
    ['finds no program', 'no-such-program'],
    ['may not run it', '/'],
    ['reports a program that was ended by a signal', 'exit 137'],
  ])('runs again when it %s, despite other secrets', async (_, failing) => {
    const path = at('store')
    await writeFile(path, `[ "$1" = JWT_SECRET ] || { ${failing}; exit $?; }\necho ${jwtSecret}\n`)
    expect(providersWith({ SECRETS_COMMAND: `sh ${path}` })).toMatchObject({ leftOut: [], undecided: list })
  })

  it('answers 503 for providers that PROVIDERS names', async () => {
    const SECRETS_COMMAND = await openSecretStore('named', { JWT_SECRET: jwtSecret })
    expect(providersWith({ SECRETS_COMMAND, PROVIDERS: 'codehost' })).toMatchObject({
      registered: ['codehost'],
      leftOut: [],
    })
  })

  it('makes the server answer 404 for left-out providers and name them', async () => {
    await using server = await startInProcess({
      NODE_ENV: 'production',
      LOG_LEVEL: 'silent',
      DATA_DIR: at('plain'),
      SECRETS_COMMAND: await openSecretStore('plain-store', {
        JWT_SECRET: jwtSecret,
        WEBHOOK_SECRET_CODEHOST: 'one',
      }),
    })
    expect(server.output()).toMatch(/"left_out":"tasks, messaging, deploy: no secret/)
    expect(server.output()).not.toContain('waiting')
    const getStatus = async (name: string) =>
      (await fetch(`${server.base}/webhooks/${name}`, { method: 'POST', body: '{}' })).status
    expect([await getStatus('tasks'), await getStatus('codehost')]).toEqual([404, 401])
  })
})

describe('without PROVIDERS', () => {
  it('registers the built-in providers with a secret in the environment or in SECRETS_DIR', async () => {
    await openSecretStore('folder', { WEBHOOK_SECRET_GITHUB: 'one', WEBHOOK_SECRET_UNKNOWN: 'two' })
    const environment = { JWT_SECRET: jwtSecret, WEBHOOK_SECRET_STRIPE: 'three', SECRETS_DIR: at('folder') }
    expect(providersWith(environment)).toMatchObject({ registered: ['github', 'stripe'], leftOut: list })
    expect(providersWith({ ...environment, PROVIDERS: 'stripe' })).toMatchObject({ registered: ['stripe'] })
  })
})
