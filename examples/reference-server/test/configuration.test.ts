import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codehost } from '@sallyport/providers/codehost'
import { expect, it } from 'vitest'
import { generatedFiles, workspace } from '../scripts/generate.ts'
import { readConfig } from '../src/config/config.ts'
import { readSettings } from '../src/config/settings.ts'
import { temporaryDirectory } from './server-process.ts'

it('matches the generated documents (npm run generate -w examples/reference-server)', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(await readFile(new URL(path, workspace), 'utf8'), path).toBe(text)
  }
})

it('has an example file with the defaults', async () => {
  const example = (await generatedFiles()).get('examples/reference-server/.env.example')!
  const lines = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)]
  const { settings, problems } = readSettings(
    Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value])),
  )
  expect(problems).toEqual([])
  // A trusted proxy is a function, and unset.
  expect(settings).toEqual(readSettings({}).settings)
  expect(lines.length).toBeGreaterThan(Object.keys(settings).length)
})

it('reads addresses with passwords from files, after the environment', async () => {
  await using directory = await temporaryDirectory()
  const SECRETS_DIR = directory.path
  const inFile = 'postgres://user:in-a-file@localhost/test'
  await writeFile(join(SECRETS_DIR, 'JWT_SECRET'), 'x'.repeat(32))
  await writeFile(join(SECRETS_DIR, 'DATABASE_URL'), `${inFile}\n`)
  await writeFile(join(SECRETS_DIR, 'BUS_URL'), 'nats://in-a-file:4222')
  const given = { NODE_ENV: 'production', SECRETS_DIR, BUS_URL: 'nats://given:4222', DATABASE_URL: '' }
  expect(readConfig(given, [])).toMatchObject({
    config: { settings: { DATABASE_URL: inFile, BUS_URL: given.BUS_URL, QUEUE_URL: undefined } },
  })

  await writeFile(join(SECRETS_DIR, 'DATABASE_URL'), 'a password instead of an address')
  await mkdir(join(SECRETS_DIR, 'QUEUE_URL'))
  expect(readConfig(given, [])).toEqual({
    problems: [
      'QUEUE_URL cannot be read in SECRETS_DIR: EISDIR',
      'DATABASE_URL has to be an address such as postgres://user:password@host:5432/database',
    ],
  })
})

it('needs PUBLIC_URL to register the webhooks of SUBSCRIPTIONS_FILE', async () => {
  await using directory = await temporaryDirectory()
  const { path: DATA_DIR } = directory
  const SUBSCRIPTIONS_FILE = join(DATA_DIR, 'subscriptions.json')
  await writeFile(SUBSCRIPTIONS_FILE, '{"subscriptions":[{"service":"github","token_name":"OTHER"}]}')
  expect(readConfig({ DATA_DIR, SUBSCRIPTIONS_FILE }, [])).toEqual({
    problems: [
      'SUBSCRIPTIONS_FILE needs PUBLIC_URL, which the services send to',
      'SUBSCRIPTIONS_FILE: subscriptions.0.token_name: Must begin with API_TOKEN_ (line 1)',
    ],
  })
})

it('rejects unreadable files of secrets and names them', async () => {
  await using directory = await temporaryDirectory()
  const SECRETS_DIR = directory.path
  await writeFile(join(SECRETS_DIR, 'JWT_SECRET'), 'x'.repeat(32))
  const names = ['ADMIN_EMAIL', 'JWT_KEYS', 'WEBHOOK_SECRET_CODEHOST']
  for (const name of names) await mkdir(join(SECRETS_DIR, name))
  // It once ended with a stack, or signed tokens by the wrong secret.
  for (const NODE_ENV of ['production', 'development']) {
    const result = readConfig({ NODE_ENV, SECRETS_DIR }, [codehost])
    const problems = names.map((name) => `${name} cannot be read in SECRETS_DIR: EISDIR`)
    expect(Object.values(result).flat().sort()).toEqual(problems)
  }
})

it('rejects secrets that are not UTF-8', async () => {
  await using directory = await temporaryDirectory()
  const SECRETS_DIR = directory.path
  const bytes = Buffer.alloc(40, 0xfe)
  for (const name of ['JWT_SECRET', 'WEBHOOK_SECRET_CODEHOST', 'DATABASE_URL'])
    await writeFile(join(SECRETS_DIR, name), bytes)
  const why = 'is not text in UTF-8: use text, such as the output of "openssl rand -hex 32"'
  for (const NODE_ENV of ['production', 'development']) {
    expect(readConfig({ NODE_ENV, SECRETS_DIR }, [codehost])).toEqual({
      problems: ['DATABASE_URL', 'JWT_SECRET', 'WEBHOOK_SECRET_CODEHOST'].map(
        (name) => `${name} in SECRETS_DIR ${why}`,
      ),
    })
    const SECRETS_COMMAND = `cat ${join(SECRETS_DIR, 'JWT_SECRET')} #`
    const result = readConfig({ NODE_ENV, SECRETS_COMMAND, PATH: process.env['PATH'] }, [codehost])
    const names = [
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'ENCRYPTION_KEYS',
      'JWT_KEYS',
      'JWT_SECRET',
      'WEBHOOK_SECRET_CODEHOST',
    ]
    expect(Object.values(result).flat().sort()).toEqual(
      names.map((name) => `SECRETS_COMMAND failed for ${name}: its output ${why}`),
    )
  }
})

it('rejects a missing folder instead of using the default database', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'file')
  await writeFile(file, '')
  // It once went on with a SQLite file, where the container's own files end with it.
  for (const [SECRETS_DIR, code] of [
    [join(directory.path, 'away'), 'ENOENT'],
    [file, 'ENOTDIR'],
  ]) {
    const environment = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), SECRETS_DIR }
    expect(readConfig(environment, [])).toEqual({ problems: [`SECRETS_DIR cannot be read: ${code}`] })
  }
})
