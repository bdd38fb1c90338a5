import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcess, startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string
const [old, current] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (...names: string[]) => join(directory.path, ...names)
beforeAll(async () => {
  directory = await temporaryDirectory()
  const webhooks = fileURLToPath(new URL('../../../packages/webhooks/src/index.ts', import.meta.url))
  await writeFile(
    at('acme.mjs'),
    `import { defineProvider, rsa } from ${JSON.stringify(webhooks)}
     export default defineProvider({
       name: 'acme',
       signature: rsa({ header: 'x-signature', encoding: 'base64', padding: 'pkcs1' }),
       events: {},
       normalize: () => [],
     })`,
  )
})
afterAll(() => directory[Symbol.asyncDispose]())

/** The environment of a server whose only provider verifies by public keys in PEM. */
const environment = (own: Readonly<Record<string, string>>) => ({
  NODE_ENV: 'production',
  LOG_LEVEL: 'silent',
  DATA_DIR: at('data'),
  JWT_SECRET: 'x'.repeat(32),
  PROVIDER_MODULES: at('acme.mjs'),
  PROVIDERS: 'acme',
  ...own,
})

async function folderWith(name: string, text: string): Promise<string> {
  await mkdir(at(name))
  await writeFile(at(name, 'WEBHOOK_SECRET_ACME'), text)
  return at(name)
}

describe('a public key in PEM', () => {
  const both = `${pem(current!.publicKey)}\n${pem(old!.publicKey)}`

  // Each line was a secret, and every delivery 503.
  it.each([
    ['a file of SECRETS_DIR', async () => ({ SECRETS_DIR: await folderWith('lf', both) })],
    [
      'a file with CRLF',
      async () => ({ SECRETS_DIR: await folderWith('crlf', both.replaceAll('\n', '\r\n')) }),
    ],
    [
      'SECRETS_COMMAND',
      async () => ({ SECRETS_COMMAND: `cd ${await folderWith('printed', both)} && cat 2>&-` }),
    ],
    ['the environment', () => Promise.resolve({ WEBHOOK_SECRET_ACME: both })],
  ])('verifies deliveries with each of two keys from %s', async (_, make) => {
    await using server = await startInProcess(environment(await make()))
    for (const { privateKey } of [old!, current!]) {
      const body = '{"a":1}'
      const signature = createSign('sha256').update(body).sign(privateKey, 'base64')
      const headers = { 'x-signature': signature, 'content-type': 'application/json' }
      const response = await fetch(`${server.base}/webhooks/acme`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
    }
  })

  it.each([
    ['is not a key', 'a secret that is not a key'],
    ['has the identifier id-RSASSA-PSS', pem(pss.publicKey)],
    ['follows a usable key and is unusable', `${pem(current!.publicKey)}no-key-at-all`],
  ])('prevents the start where it %s, and shows no part of the secret', async (_, text) => {
    const SECRETS_DIR = await folderWith(text.slice(-20).replaceAll(/\W/g, ''), text)
    const [problem, ...others] = await startProblems(environment({ SECRETS_DIR }))
    expect(problem).toMatch(
      /^WEBHOOK_SECRET_ACME holds a secret that acme cannot use: .*algorithm identifier rsaEncryption.*$/,
    )
    for (const part of text.split('\n').filter((line) => line.length > 8)) expect(problem).not.toContain(part)
    expect(others).toEqual([])
  })
})
