import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProviderModules } from '../src/config/provider-modules.ts'
import { runServerToItsEnd, startServerProcess, temporaryDirectory } from './server-process.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const at = (...names: string[]) => join(directory.path, ...names)

/** A provider as a stranger's module may hold it, made without this repository's source. */
const source = (name: string) => `{
  name: ${JSON.stringify(name)},
  signature: {
    headers: ['x-signature'],
    verify({ headers, body }, secrets) {
      const matches = secrets.some((secret) => createHmac('sha256', secret).update(body).digest('hex') === headers.get('x-signature'))
      return matches ? { verified: true, body } : { verified: false, reason: 'mismatch' }
    },
    sign: ({ body }, secret) => ({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }),
  },
  events: { 'bell.rung': { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } } },
  normalize: ({ payload }) => ({ kind: 'bell.rung', key: [payload.id], subject: 'door', data: payload }),
}`

beforeAll(async () => {
  directory = await temporaryDirectory()
  const module = (exported: string) =>
    `import { createHmac } from 'node:crypto'\nexport default ${exported}\n`
  await writeFile(at('one.mjs'), module(source('doorbell')))
  await writeFile(at('wrong.mjs'), module('{ name: "doorbell" }'))
  await writeFile(at('headless.mjs'), module(source('doorbell').replace("headers: ['x-signature'],", '')))
  await writeFile(at('throws.mjs'), 'throw new Error("of the module\\nand more")')
  await writeFile(at('taken.mjs'), module(source('codehost')))
  await mkdir(at('node_modules', 'some-bells'), { recursive: true })
  await writeFile(
    at('node_modules', 'some-bells', 'package.json'),
    JSON.stringify({ name: 'some-bells', type: 'module', exports: './index.js' }),
  )
  await writeFile(
    at('node_modules', 'some-bells', 'index.js'),
    module(`[${source('front-bell')}, ${source('back-bell')}]`),
  )
})
afterAll(() => directory[Symbol.asyncDispose]())

describe('modules with providers', () => {
  it('are found by path and by name, with one provider or several', async () => {
    const { providers, problems } = await loadProviderModules('./one.mjs, some-bells', directory.path)
    expect(problems).toEqual([])
    expect(providers.map(({ name }) => name)).toEqual(['doorbell', 'front-bell', 'back-bell'])
    expect(await loadProviderModules('', directory.path)).toEqual({ providers: [], problems: [] })
  })

  it('are refused in a line each when they cannot be used', async () => {
    const names = './wrong.mjs,./headless.mjs,./throws.mjs,./missing.mjs,no-such-package'
    const { providers, problems } = await loadProviderModules(names, directory.path)
    expect(providers).toEqual([])
    expect(problems).toEqual([
      'PROVIDER_MODULES: the default export of "./wrong.mjs" is no provider and no list of them',
      'PROVIDER_MODULES: the default export of "./headless.mjs" is no provider and no list of them',
      'PROVIDER_MODULES: "./throws.mjs" cannot be loaded: of the module',
      expect.stringMatching(/^PROVIDER_MODULES: "\.\/missing\.mjs" cannot be loaded: .+$/),
      expect.stringMatching(/^PROVIDER_MODULES: "no-such-package" cannot be loaded: .+$/),
    ])
  })

  it('run in the server once PROVIDERS names theirs', async () => {
    await using server = await startServerProcess({
      DATA_DIR: at('data'),
      LOG_LEVEL: 'silent',
      PROVIDER_MODULES: at('one.mjs'),
      PROVIDERS: 'codehost,doorbell',
      WEBHOOK_SECRET_DOORBELL: 'of the bell',
    })
    expect(await (await fetch(server.base)).json()).toMatchObject({
      webhooks: { providers: ['codehost', 'doorbell'] },
    })
    const body = '{"id":"ring 1"}'
    const signature = createHmac('sha256', 'of the bell').update(body).digest('hex')
    const answers = []
    for (const sent of [signature, signature, 'forged']) {
      const headers = { 'x-signature': sent }
      const response = await fetch(`${server.base}/webhooks/doorbell`, { method: 'POST', body, headers })
      const { data } = (await response.json()) as { data?: { status: string } }
      answers.push([response.status, data?.status])
    }
    expect(answers).toEqual([
      [200, 'accepted'],
      [200, 'duplicate'],
      [401, undefined],
    ])
  })

  it('do not start the server when one has a name that is taken', async () => {
    const { code, errors } = await runServerToItsEnd({
      DATA_DIR: at('never'),
      PROVIDER_MODULES: at('taken.mjs'),
    })
    expect([code, errors]).toEqual([78, 'PROVIDER_MODULES: there is a provider "codehost" already\n'])
  })
})
